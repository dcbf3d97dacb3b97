import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

interface LockedPackage {
  integrity?: string
  resolved?: string
}

const FOLDERS = ['engines', 'binary', 'inspector', 'lighthouse'].map((name) => join('test', name))
const LOCKS = ['.', ...FOLDERS].map((folder) => join(folder, 'package-lock.json'))

describe.each(LOCKS)('%s', (path) => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8'))
  const { '': root, ...packages } = lock.packages as Record<string, LockedPackage>
  const those = (holds: (locked: LockedPackage) => boolean) =>
    Object.keys(packages).filter((name) => holds(packages[name] as LockedPackage))

  test('has a SHA-512 of every package, so that npm ci installs what was tested', () => {
    expect(root).toBeDefined()
    const isWhole = ({ integrity = '' }: LockedPackage) => /^sha512-[\w+/]{86}==$/.test(integrity)
    expect(those((locked) => !isWhole(locked))).toEqual([])
  })

  test('names no address of a package, so that it comes from the registry of whoever installs', () => {
    expect(those(({ resolved }) => resolved !== undefined)).toEqual([])
  })
})
