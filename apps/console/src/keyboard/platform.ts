export const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform);
