import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: this is how vitest takes it.
export default defineConfig({
  test: {
    dir: 'test',
    globalSetup: 'test/support/own-temporary-folder.ts',
    // Loading all modules for each file would take longer than the tests.
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 30_000,
  },
})
