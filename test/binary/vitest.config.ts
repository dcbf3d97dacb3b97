import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: this is how vitest takes it.
export default defineConfig({
  test: {
    dir: 'test/binary',
    globalSetup: 'test/support/own-temporary-folder.ts',
    tags: [{ name: 'thorough', description: 'What is costly and alike: all of it is run here' }],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
