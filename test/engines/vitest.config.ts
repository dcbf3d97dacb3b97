import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: this is how vitest takes it.
export default defineConfig({
  test: {
    dir: 'test/engines',
    globalSetup: 'test/support/own-temporary-folder.ts',
    setupFiles: 'test/support/property-seed.ts',
    // Native libraries of engines end with the process of their file.
    pool: 'forks',
    maxWorkers: 2,
    tags: [{ name: 'thorough', description: 'What is costly and alike: all of it is run here' }],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
