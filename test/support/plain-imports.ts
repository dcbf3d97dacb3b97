import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = pathToFileURL(join(import.meta.dirname, '../../')).href
const ours = ['src/', 'test/', 'samples/'].map((folder) => root + folder)

/** Whether this worker resolves imports so already: workers run many files of tests. */
const done = Symbol.for('plain-imports')

// Vitest tells its main process of each import, to know in watch mode which tests a file concerns, and waits for the answer:
// a tenth of all time. The address of a file of ours follows from the import itself.
if (process.env.VITEST_MODE !== 'WATCH' && !Reflect.has(globalThis, done)) {
  Reflect.set(globalThis, done, true)
  registerHooks({
    resolve(specifier, { parentURL = '' }, next) {
      const isOurs =
        /^\.\.?\/.*\.ts$/.test(specifier) && ours.some((folder) => parentURL.startsWith(folder))
      if (!isOurs) return next(specifier)
      return { url: new URL(specifier, parentURL).href, shortCircuit: true }
    },
  })
}
