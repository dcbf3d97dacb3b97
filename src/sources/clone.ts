import type { ArchiveEntry } from '../archive/entry.ts'
import { ArchiveError } from '../base/errors.ts'
import { collect } from '../base/streams.ts'
import { fileEntry } from './record-files.ts'

/** The Git data of one repository or wiki. */
export interface Clone {
  /** An entry for a file, unless it is read for what `finish` writes, or left out. */
  add(entry: ArchiveEntry, path: string): Promise<ArchiveEntry | undefined>
  /** The branch that HEAD names, once all files are read. */
  branch(): string | undefined
  /** The other entries: HEAD (that of the clone, or else this branch), refs, and a configuration of our own. That of a clone may hold the token it was made with. */
  finish(branch: string): Generator<ArchiveEntry>
}

/** Files that tell of a form of repository that no archive has: its name, and what it means. */
const UNSUPPORTED: readonly (readonly [path: RegExp, form: string, message: string])[] = [
  [/^objects\/info\/alternates$/, 'alternates', 'the clone borrows objects of another one'],
  [/^shallow$/, 'shallow', 'the clone has only the last part of its history'],
  [/^info\/grafts$/, 'grafts', 'the clone has grafts, which give commits other parents'],
  [/^(?:commondir)?$/, 'elsewhere', 'the repository of this work tree is elsewhere'],
  [/^reftable\//, 'reftable', 'the refs of the clone are in a reftable'],
  [
    /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{62}|pack\/pack-[0-9a-f]{64}\.pack)$/,
    'sha256',
    'the object ids of the clone are not SHA-1',
  ],
]

const OBJECTS = /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[0-9a-f]{40}\.(?:pack|idx))$/

/** A file of Git LFS. Its name is the hash of its content. */
const LFS = /^lfs\/objects\/((?:[0-9a-f]{2}\/){2}[0-9a-f]{64})$/

const ID = /^[0-9a-f]{40}$/

/** The most bytes of refs. Millions of refs have less. */
const MOST = 256 * 2 ** 20
/** The most bytes of a file with one ref. */
const MOST_LOOSE = 4096

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n'

/**
 * Starts the Git data of a repository.
 *
 * @param folder its folder in the archive
 * @param leaveOut counts what is left out
 */
export function openClone(
  folder: string,
  {
    hasWorkTree,
    date,
    leaveOut,
  }: {
    hasWorkTree: boolean
    date: Date
    leaveOut: (reason: string, entry: string) => void
  },
): Clone {
  const refs = new Map<string, string>()
  const packed = new Map<string, string>()
  const symbolic = new Map<string, string>()
  const note = (name: string, text: string) => {
    const target = /^ref: *(refs\/\S+)/.exec(text)?.[1]
    if (target !== undefined) symbolic.set(name, target)
    else if (ID.test(text)) refs.set(name, text)
  }
  const head = (): string | undefined => {
    const remote = symbolic.get('refs/remotes/origin/HEAD')
    const own = symbolic.get('HEAD')
    return hasWorkTree && remote ? remote.replace(ORIGIN, 'refs/heads/') : own
  }
  return {
    async add(entry, path) {
      for (const [sign, form, message] of UNSUPPORTED) {
        if (!sign.test(path)) continue
        throw new ArchiveError('git-unsupported', message, { entry: entry.path }).about(form)
      }
      if (OBJECTS.test(path)) return { ...entry, path: `${folder}/${path}`, header: undefined }
      const [, lfs] = LFS.exec(path) ?? []
      if (lfs !== undefined) return { ...entry, path: `git-lfs/${lfs}`, header: undefined }
      const isPacked = path === 'packed-refs'
      if (!isPacked && path !== 'HEAD' && !path.startsWith('refs/')) {
        // Configuration, hooks, logs and what was fetched last are never carried.
        return undefined
      }
      if (entry.size > (isPacked ? MOST : MOST_LOOSE)) {
        leaveOut('refs that are too large', entry.path)
        return undefined
      }
      const text = (await collect(entry.content)).toString()
      if (!isPacked) note(path, text.trim())
      else {
        for (const line of text.split('\n')) {
          const [id = '', name = ''] = line.split(' ')
          if (ID.test(id) && name.startsWith('refs/')) packed.set(name, id)
        }
      }
      return undefined
    },
    branch: () => head()?.replace(/^refs\/heads\//, ''),
    *finish(branch) {
      const all = new Map([...packed, ...refs])
      const kept = hasWorkTree
        ? ofOrigin(all, () => leaveOut('refs of the clone itself', folder))
        : all
      yield* writeRefs(folder, kept, head() ?? `refs/heads/${branch}`, date)
    },
  }
}

/** HEAD, refs and a configuration of our own. */
export function* writeRefs(
  folder: string,
  refs: ReadonlyMap<string, string>,
  head: string,
  date: Date,
): Generator<ArchiveEntry> {
  const lines = [...refs]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, id]) => `${id} ${name}\n`)
  const text = (path: string, content: string) =>
    fileEntry(`${folder}/${path}`, [Buffer.from(content)], date)
  yield text('HEAD', `ref: ${head}\n`)
  yield text('config', CONFIG)
  if (lines.length > 0) yield text('packed-refs', `# pack-refs with: sorted \n${lines.join('')}`)
}

const ORIGIN = /^refs\/remotes\/origin\//

/**
 * The refs of the repository that a clone was made of. The backup fetches and never merges, so branches of the clone are as
 * old as its first run.
 */
function ofOrigin(refs: ReadonlyMap<string, string>, leaveOut: () => void): Map<string, string> {
  const kept = new Map<string, string>()
  for (const [name, id] of refs) {
    if (name.startsWith('refs/heads/') || name.startsWith('refs/tags/')) kept.set(name, id)
    else if (!ORIGIN.test(name)) leaveOut()
  }
  for (const [name, id] of refs) {
    const branch = name.replace(ORIGIN, 'refs/heads/')
    if (branch !== name && branch !== 'refs/heads/HEAD') kept.set(branch, id)
  }
  return kept
}
