-- Rebuilt at the next start, which also gives addresses of earlier versions their normal form.
TRUNCATE people_search;
