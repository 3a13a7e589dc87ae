import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  build: {
    rolldownOptions: {
      input: ["index.html", "arabic.html", "own.html", "flags.html", "drawn.html"],
    },
  },
});
