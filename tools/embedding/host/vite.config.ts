import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  build: {
    // Else light-dark() is rewritten, and the dark colours are lost.
    cssTarget: ["chrome123", "safari17.5", "firefox120"],
    rolldownOptions: { input: ["index.html", "arabic.html", "own.html"] },
  },
});
