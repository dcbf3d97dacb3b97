import type { Database } from '../../database/open-database.ts'
import { readAlternates } from '../alternates.ts'
import { gitPath } from '../objects/git-path.ts'
import { listObjectFiles, type ObjectFile } from './list-object-files.ts'

/** Which files a clone is to have, and what it lacks. */
export interface ClonePlan {
  /** The files of objects, read anew each time. */
  files(): Generator<ObjectFile>
  count: number
  bytes: number
  /** Whether objects may be missing: packs are not whole, or some objects are in another repository. */
  isDoubtful: boolean
  /** What the archive lacks, or is to be left out, in words. */
  notes: string[]
}

/** Looks at all files of a repository: an index without its pack is nothing for git. */
export function planClone(database: Database, repository: string): ClonePlan {
  const packs = new Map<string, { pack: boolean; index: boolean }>()
  let count = 0
  let bytes = 0
  for (const { path, size } of listObjectFiles(database, repository)) {
    const [, name, kind] = /^objects\/pack\/(.+)\.(pack|idx)$/.exec(path) ?? []
    if (name !== undefined) {
      const known = packs.get(name) ?? { pack: false, index: false }
      packs.set(name, { pack: known.pack || kind === 'pack', index: known.index || kind === 'idx' })
    }
    count++
    bytes += size
  }
  const lacking = [...packs].filter(([, { pack, index }]) => !pack || !index)
  const notes = lacking.map(([name, { pack }]) =>
    pack
      ? `${name}.pack has no index: make one with git index-pack`
      : `${name}.idx was left out: its pack is missing`,
  )
  const orphans = new Set(
    lacking.filter(([, { pack }]) => !pack).map(([name]) => `objects/pack/${name}.idx`),
  )
  const files = function* (): Generator<ObjectFile> {
    for (const file of listObjectFiles(database, repository)) {
      if (!orphans.has(file.path)) yield file
    }
  }
  const isDoubtful = lacking.length > 0 || readAlternates(database, repository).length > 0
  return {
    files,
    isDoubtful,
    count: count - orphans.size,
    bytes,
    notes: [...notes, ...notesOn(database, repository)],
  }
}

/** What a clone lacks because the archive does. */
function notesOn(database: Database, repository: string): string[] {
  const notes: string[] = []
  const [elsewhere] = readAlternates(database, repository)
  if (elsewhere !== undefined) {
    const folder = JSON.stringify(elsewhere.slice(0, 200))
    notes.push(`it took objects from another repository, ${folder}, which is not in the archive`)
  }
  const broken = database
    .prepare<[string, string], number>(
      `SELECT count(*) FROM problems WHERE code = 'ref-invalid' AND entry >= ? AND entry < ?`,
    )
    .pluck()
    .get(`${gitPath(repository)}/`, `${gitPath(repository)}0`)
  if (broken) notes.push('refs that Git does not take were left out: see the table problems')
  return notes
}
