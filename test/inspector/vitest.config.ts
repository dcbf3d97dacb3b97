import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: this is how vitest takes it.
export default defineConfig({
  test: {
    dir: 'test/inspector',
    globalSetup: 'test/support/own-temporary-folder.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
