import type { JsonObject } from '../../records/json/json.ts'
import { formatNodeId } from '../../rest/node-id.ts'
import type { Repository } from '../catalog/repositories.ts'
import { asInteger, asList, asObject, asText } from '../catalog/sources.ts'
import { toTime } from '../catalog/times.ts'
import { type Numbered, toRelease } from './comments.ts'
import { pathInUrl } from './git-objects.ts'
import { userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'

const ROOT = 'tarball://root/'

/** A file of a release, and its content if the archive has it. */
export interface ReleaseAsset {
  readonly number: number
  readonly url: string
  readonly name: string
  readonly contentType: string
  readonly uploader: unknown
  readonly created: string
  readonly content: StoredAsset | undefined
}

/** A row of the table of files. */
export interface StoredAsset {
  readonly id: number
  readonly path: string
  readonly size: number
  readonly sha256: string
  readonly isStored: boolean
}

/** The files of a release, in the order of its record. Leaves out files without a url, and repeated urls. */
export function assetsOf(
  { reader }: Rendering,
  { database }: Repository,
  row: number,
): ReleaseAsset[] {
  const { people, sources } = reader
  const column = sources.record(database, 'releases', 'release_assets', row)?.[0]
  const assets = new Map<string, ReleaseAsset>()
  for (const entry of asList(column).map(asObject)) {
    const url = asText(entry.url)
    if (url === '' || assets.has(url)) continue
    assets.set(url, {
      number: people.numberOf('ReleaseAsset', url),
      ...{ url, name: asText(entry.asset_name), contentType: asText(entry.asset_content_type) },
      ...{ uploader: entry.user, created: toTime(entry.created_at) },
      content: storedAt(reader, database, asText(entry.asset_url)),
    })
  }
  return [...assets.values()]
}

/** The file at an address in the archive, which is never Git data; undefined if the archive has none. */
export function storedAt(
  { sources }: Rendering['reader'],
  database: number,
  address: string,
): StoredAsset | undefined {
  if (!address.startsWith(ROOT)) return undefined
  const file = sources.find(
    database,
    `SELECT id, path, size, sha256, stored FROM files
    WHERE path = ? AND role NOT IN ('git', 'lfs') ORDER BY id DESC LIMIT 1`,
    address.slice(ROOT.length),
  )
  return (
    file && {
      ...{ id: asInteger(file[0]), path: asText(file[1]), size: asInteger(file[2]) },
      ...{ sha256: asText(file[3]), isStored: file[4] === 1 },
    }
  )
}

/** A file of a release. Archives have no count of downloads. */
export function toAsset(
  rendering: Rendering,
  repository: Repository,
  { number, url, name, contentType, uploader, created, content }: ReleaseAsset,
): JsonObject {
  return {
    url: `${repositoryUrl(rendering, repository)}/releases/assets/${number}`,
    id: number,
    node_id: formatNodeId('ReleaseAsset', number),
    name,
    label: null,
    uploader: userOf(rendering, uploader, repository.host),
    content_type: contentType || 'application/octet-stream',
    state: 'uploaded',
    size: content?.size ?? 0,
    download_count: 0,
    created_at: created,
    updated_at: created,
    browser_download_url: url,
  }
}

/** A release with its files. */
export function toReleaseWithAssets(
  rendering: Rendering,
  release: Numbered,
): JsonObject | undefined {
  const { repository, row } = release
  const common = toRelease(rendering, release)
  if (!common) return undefined
  const assets = assetsOf(rendering, repository, row)
  // A draft has no tag yet.
  const { draft, tag_name } = common
  const hasTag = draft === false && tag_name !== ''
  const sourceUrl = (form: string) =>
    hasTag ? `${repositoryUrl(rendering, repository)}/${form}/${pathInUrl(asText(tag_name))}` : null
  return {
    ...common,
    assets: assets.map((asset) => toAsset(rendering, repository, asset)),
    assets_url: `${common.url}/assets`,
    upload_url: `${common.url}/assets{?name,label}`,
    tarball_url: sourceUrl('tarball'),
    zipball_url: sourceUrl('zipball'),
  }
}
