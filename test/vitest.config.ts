import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

// Threads and processes that tests start take the sources as Node.js has kept them. To make JavaScript of them takes a thread
// of the server 0.3 s more.
process.env.NODE_COMPILE_CACHE ??= join(
  import.meta.dirname,
  '../node_modules/.cache/migration-archive',
)

// biome-ignore lint/style/noDefaultExport: this is how vitest takes it.
export default defineConfig({
  test: {
    dir: 'test',
    // They need what other commands install or make: engines, a browser, the executable, the inspector.
    exclude: [...configDefaults.exclude, 'engines/**', 'browser/**', 'binary/**', 'inspector/**'],
    globalSetup: 'test/support/own-temporary-folder.ts',
    setupFiles: ['test/support/plain-imports.ts', 'test/support/property-seed.ts'],
    // Loading all modules for each file would take longer than the tests.
    isolate: false,
    // Node.js runs TypeScript itself. Through Vite each module is transformed for every run, and each use of an import is a
    // call of a getter: a fifth of all time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: '100%',
    // Every core has its tests: threads that help collect garbage take more from these than they give. And what a test
    // leaves is soon garbage, so that with room for it little is ever moved. Bytes outside of the heap count as part of
    // it: else each 64 MiB of buffers, thirty databases, have the whole heap marked. A fifth of all time.
    execArgv: [
      '--single-threaded-gc',
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      '--external-memory-accounted-in-global-limit',
      '--initial-old-space-size=512',
    ],
    tags: [{ name: 'thorough', description: 'What is costly and alike: npm run test:thorough' }],
    // A run that tries all of what is costly takes longer for each test.
    testTimeout: 30_000 * Math.max(1, 6 * Number(process.env.PROPERTY_RUNS ?? 0)),
    hookTimeout: 30_000,
  },
})
