import { createRequire } from 'node:module'
import { ArchiveError } from '../../errors.ts'

const require = createRequire(import.meta.url)

/**
 * Loads a package that only one target needs, and that people install beside this one. The caller knows its type.
 *
 * @throws `package-missing`
 */
export function loadOptional<T>(name: string): T {
  try {
    return require(name) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw new ArchiveError('package-missing', `the package ${name} is not installed`, {}, error)
  }
}
