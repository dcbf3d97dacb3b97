import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: this is how vitest takes it.
export default defineConfig({
  test: {
    dir: 'test/browser',
    globalSetup: 'test/support/own-temporary-folder.ts',
    setupFiles: 'test/support/property-seed.ts',
    isolate: false,
    maxWorkers: 2,
    // Pages are opened side by side.
    maxConcurrency: 3,
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
})
