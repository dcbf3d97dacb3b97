import { createRequire } from 'node:module'
import { ArchiveError } from './errors.ts'

const require = createRequire(import.meta.url)

/**
 * Loads a package that few need, and that users install in addition to this one. The caller states its type.
 *
 * @param all every package of the same purpose: the error says to install these
 * @throws `package-missing`
 */
export function loadOptional<T>(name: string, all: string = name): T {
  try {
    return require(name) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    const message = `the package ${name} is not installed`
    throw new ArchiveError('package-missing', message, {}, error, { value: all })
  }
}
