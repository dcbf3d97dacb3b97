import { isDeepStrictEqual } from 'node:util'
import { formatManifest, type Manifest } from '../dataset/manifest.ts'
import type { ExportDifference } from '../read-back/export-difference.ts'

type Member = readonly [path: string, value: unknown]

/**
 * Compares a manifest with the one that its source makes. Bytes and hashes of files are compared with the files instead,
 * and what was sent to an engine cannot be counted again.
 */
export function compareManifests(
  expected: Manifest,
  found: Manifest,
): { differences: ExportDifference[]; notCompared: string[] } {
  const skipped = sourceMembers(expected, found)
  const isCompared = ([path]: Member) =>
    !/^tables\.[^.]+\.(?:bytes|sha256)$/.test(path) && !skipped.includes(path)
  const [should, does] = [expected, found].map(
    (manifest) => new Map(membersOf('', JSON.parse(formatManifest(manifest))).filter(isCompared)),
  ) as [Map<string, unknown>, Map<string, unknown>]
  const differences = [...new Set([...should.keys(), ...does.keys()])]
    .filter((path) => !isDeepStrictEqual(should.get(path), does.get(path)))
    .map((path) => ({
      fact: `manifest ${path}`,
      expected: shown(should.get(path)),
      found: shown(does.get(path)),
    }))
  return { differences, notCompared: skipped.map((path) => `${path} in the manifest`) }
}

/** Members about the source that differ if an archive is compared with its database, or with a stream. */
function sourceMembers({ source: left }: Manifest, { source: right }: Manifest): string[] {
  if (!left || !right || typeof right !== 'object') return []
  if ('archives' in left !== 'archives' in right) {
    return ['name', 'sha256', 'size', 'archives'].map((member) => `source.${member}`)
  }
  return left.size === null || right.size === null ? ['source.name', 'source.size'] : []
}

/** The members of an object with their paths; a list is one value. */
function membersOf(path: string, value: unknown): Member[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]]
  return Object.entries(value).flatMap(([name, member]) =>
    membersOf(path === '' ? name : `${path}.${name}`, member),
  )
}

const shown = (value: unknown): ExportDifference['expected'] =>
  value === undefined || value === null
    ? null
    : typeof value === 'number' || typeof value === 'string'
      ? value
      : JSON.stringify(value)
