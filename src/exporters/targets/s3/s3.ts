import { createHash } from 'node:crypto'
import { join, relative, sep } from 'node:path'
import { ArchiveError } from '../../../base/errors.ts'
import { makeTemporaryFolder } from '../../../files/temporary-folder.ts'
import { checkFormat, openDataset } from '../../dataset/dataset.ts'
import { schemaFiles } from '../../dataset/dataset-schema.ts'
import {
  type ContentOptions,
  DATASET_VERSION,
  endingOf,
  formatManifest,
  type Manifest,
  newer,
  unfinished,
} from '../../dataset/manifest.ts'
import { folderName, nameOfFolder } from '../../dataset/partition-name.ts'
import { datasetViews } from '../../ddl/dataset-views.ts'
import type { EngineName } from '../../ddl/engine.ts'
import type {
  LockOptions,
  PartitionWriter,
  StoreOptions,
  Target,
  TargetOptions,
} from '../../exporter.ts'
import type { Inspection } from '../../read-back/definitions.ts'
import { createFileReader } from '../../read-back/file-reader.ts'
import { inspectFiles } from '../../read-back/inspect-files.ts'
import type { TableFacts } from '../../table.ts'
import { openFilesOf } from '../folder.ts'
import { filesOf } from '../folder-partition.ts'
import { withCopy } from './copy-file.ts'
import { lockObject } from './lock-object.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'
import { uploadFile } from './upload-file.ts'

/** Files that are uploaded at a time. */
const AT_ONCE = 4

const ARCHIVES = '_marc/archives/'
const manifestKey = (name: string) => `${ARCHIVES}${folderName(name)}.json`
const fileKey = (table: string, name: string, manifest: Manifest) =>
  `kind=${table}/archive=${folderName(name)}/data.${endingOf(manifest)}`
const isManifest = (key: string) => key.startsWith(ARCHIVES) && key.endsWith('.json')

/**
 * Opens a dataset in an object store as a target: the same files as in a folder.
 *
 * @param place `s3://bucket/folder`
 * @throws `option-invalid`, `package-missing`, `target-failed`, `dataset-foreign` for a folder that holds something else or
 *   another format, `dataset-newer`
 */
export async function openS3Target(
  place: string,
  { existing = false, format, s3: credentials, signal }: TargetOptions,
): Promise<Target> {
  const store = openObjectStore(place, { credentials, signal })
  await checkStore(store, existing)
  if (format) await checkFormats(store, format)
  const filesIn = async (name: string): Promise<[table: string, key: string, bytes: number][]> => {
    const kinds = (await store.folders()).filter((folder) => folder.startsWith('kind='))
    const found = await eachOf(kinds, async (kind) => {
      const files = await store.list(`${kind}/archive=${folderName(name)}/`)
      return [...files].map(([key, bytes]): [string, string, number] => [
        kind.slice('kind='.length),
        key,
        bytes,
      ])
    })
    return found.flat()
  }
  /** Without what others put into the folders of the partition. */
  const ownFiles = async (name: string) => {
    const manifest = await readManifest(store, name)
    return (await filesIn(name)).filter(
      ([table, key]) => manifest && key === fileKey(table, name, manifest),
    )
  }
  return {
    async lock(name, options) {
      await checkUnique(store, name)
      return lockObject(store, `${manifestKey(name)}.lock`, options)
    },
    readManifest: (name) => readManifest(store, name),
    openPartition: (name, content) => openObjects(store, name, { content, filesIn }),
    names: async () =>
      [...(await store.list(ARCHIVES)).keys()]
        .filter(isManifest)
        .map((key) => nameOfFolder(key.slice(ARCHIVES.length, -'.json'.length))),
    inspect: (names) => inspectStore(store, names),
    async survey(name) {
      const facts = await eachOf(await ownFiles(name), async ([table, key, bytes]) => {
        const hash = createHash('sha256')
        for await (const piece of await store.read(key)) hash.update(piece)
        return [table, { bytes, sha256: hash.digest('hex') }] as [string, TableFacts]
      })
      return new Map(facts)
    },
    read: (name) =>
      createFileReader(async (table, work) => {
        const [found] = (await ownFiles(name)).filter(([one]) => one === table)
        if (found) await withCopy(store, found[1], work)
      }),
    settle: (options) => updateSchema(store, options),
    async remove(name) {
      if (!(await store.get(manifestKey(name)))) return false
      const manifest = await readManifest(store, name)
      if (manifest) await store.put(manifestKey(name), `${formatManifest(unfinished(manifest))}\n`)
      await eachOf(await filesIn(name), ([, key]) => store.remove(key))
      await store.remove(manifestKey(name))
      return true
    },
    close: async () => {},
  }
}

/** The statements that make views over a dataset in an object store. Throws as `openS3Target`. */
export async function viewsOfStore(
  place: string,
  engine: EngineName,
  { s3: credentials, signal }: { s3?: StoreOptions | undefined; signal?: AbortSignal | undefined },
): Promise<string> {
  const store = openObjectStore(place, { credentials, signal })
  await checkStore(store, true)
  return datasetViews(engine, store.shown, await tablesIn(store), store.url)
}

/** Throws `dataset-foreign` unless the folder is a dataset, or is empty and `existing` is false; `dataset-newer`. */
async function checkStore(store: ObjectStore, existing: boolean): Promise<void> {
  const schema = await store.get('_marc/schema.json')
  if (!schema && !(await store.has('_marc/')) && (existing || (await store.has('')))) {
    const message = existing
      ? 'the folder has no folder _marc'
      : 'the folder is not empty and has no folder _marc'
    throw new ArchiveError('dataset-foreign', message, { archive: store.shown })
  }
  if (Number(parse(schema?.bytes)?.dataset) > DATASET_VERSION) throw newer(store.shown)
}

/** Throws `dataset-foreign` if the first partition is of another format, as all of them are then. */
async function checkFormats(store: ObjectStore, format: string): Promise<void> {
  const first = [...(await store.list(ARCHIVES)).keys()].find(isManifest)
  if (first !== undefined) checkFormat(store.shown, parse((await store.get(first))?.bytes), format)
}

async function readManifest(store: ObjectStore, name: string): Promise<Manifest | undefined> {
  const manifest = parse((await store.get(manifestKey(name)))?.bytes)
  if (manifest && manifest.dataset > DATASET_VERSION) throw newer(store.shown)
  return manifest
}

/** Undefined if it cannot be read. */
function parse(bytes: Buffer | undefined): Manifest | undefined {
  try {
    return JSON.parse(String(bytes)) as Manifest
  } catch {
    return undefined
  }
}

/** Throws `option-invalid` if the name of another partition differs only in upper and lower case. */
async function checkUnique(store: ObjectStore, name: string): Promise<void> {
  const key = manifestKey(name)
  const keys = [...(await store.list(ARCHIVES)).keys()].filter(isManifest)
  const other = keys.find((one) => one !== key && one.toLowerCase() === key.toLowerCase())
  if (other === undefined) return
  const shown = JSON.stringify(other.slice(ARCHIVES.length, -'.json'.length))
  const message = `the partition ${shown} differs in upper and lower case only`
  throw new ArchiveError('option-invalid', message, { archive: store.shown })
}

/** Writes a partition into a temporary folder, and uploads it when it is complete. */
async function openObjects(
  store: ObjectStore,
  name: string,
  {
    content,
    filesIn,
  }: { content: ContentOptions; filesIn(name: string): Promise<[string, string, number][]> },
): Promise<PartitionWriter> {
  const folder = makeTemporaryFolder()
  const dataset = join(folder.path, 'dataset')
  openDataset(dataset)
  const files = await openFilesOf(dataset, name, content)
  const writeManifest = (manifest: Manifest) =>
    store.put(manifestKey(name), `${formatManifest(manifest)}\n`)
  return {
    ...files,
    async commit(describe) {
      const manifest = await files.commit(describe)
      const isNew = !(await store.get(manifestKey(name)))
      await writeManifest(unfinished(manifest))
      const uploads = [...filesOf(dataset, name)].map(([table, path]) => {
        const key = relative(dataset, path).replaceAll(sep, '/')
        return { key, path, sha256: manifest.tables[table]?.sha256 ?? '' }
      })
      await eachOf(uploads, ({ key, path, sha256 }) => uploadFile(store, key, { path, sha256 }))
      if (!isNew) {
        const kept = new Set(uploads.map(({ key }) => key))
        const gone = (await filesIn(name)).filter(([, key]) => !kept.has(key))
        await eachOf(gone, ([, key]) => store.remove(key))
      }
      await writeManifest(manifest)
      folder.remove()
      return manifest
    },
    async abort() {
      await files.abort()
      folder.remove()
    },
  }
}

/** The views and columns in `_marc` as they are, and as they have to be. */
async function schemaFilesIn(store: ObjectStore, present: readonly string[]) {
  const files = schemaFiles(present, (engine) =>
    datasetViews(engine, store.shown, present, store.url),
  )
  return eachOf(files, async ([name, text]) => {
    const path = `_marc/${name}`
    return { path, text, found: (await store.get(path))?.bytes.toString() ?? null }
  })
}

/** Finds objects that belong to no partition, and views that differ. */
async function inspectStore(store: ObjectStore, names: readonly string[]): Promise<Inspection> {
  const kinds = (await store.folders()).filter((folder) => folder.startsWith('kind='))
  const own = new Set(
    (
      await eachOf(names, async (name) => {
        const manifest = await readManifest(store, name)
        const tables = kinds.map((kind) => kind.slice('kind='.length))
        return manifest ? tables.map((table) => fileKey(table, name, manifest)) : []
      })
    ).flat(),
  )
  const listed = await eachOf(kinds, async (kind) => [...(await store.list(`${kind}/`)).keys()])
  const foreign = listed
    .flat()
    .filter((key) => !own.has(key) && !/(?:^|\/)[._][^/]*$/.test(key))
    .sort()
  const present = kinds
    .filter((_, i) => listed[i]?.some((key) => own.has(key)))
    .map((kind) => kind.slice('kind='.length))
  return inspectFiles(await schemaFilesIn(store, present.sort()), foreign)
}

/** Brings `_marc/schema.json` and the views up to date with the tables that have files. */
async function updateSchema(store: ObjectStore, options: LockOptions): Promise<void> {
  const outdated = async () => {
    const files = await schemaFilesIn(store, await tablesIn(store))
    return files.filter(({ text, found }) => text !== found)
  }
  if ((await outdated()).length === 0) return
  const release = await lockObject(store, '_marc/schema.lock', { ...options, wait: true })
  try {
    // Others may have added tables since: the last one to have the lock sees all of them.
    for (const { path, text } of await outdated()) await store.put(path, text)
  } finally {
    await release()
  }
}

/** The tables that have a file in at least one partition. */
const tablesIn = async (store: ObjectStore): Promise<string[]> =>
  (await store.folders())
    .filter((folder) => folder.startsWith('kind='))
    .map((folder) => folder.slice('kind='.length))
    .sort()

/** Works on several items at a time. Returns the results in order. */
async function eachOf<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = [...items.entries()]
  const worker = async () => {
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        results[next[0]] = await work(next[1])
      }
    } finally {
      // After an error the others finish their current item.
      waiting.length = 0
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  // None of them may still write when the next export does.
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return results
}
