import { formatNodeId } from '../../interface/node-id.ts'
import { listReleaseFiles, type ReleaseFile, readRelease } from '../../reading/releases.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { orEpoch } from '../../reading/times.ts'
import { asText } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { pathInUrl } from './git-objects.ts'
import { userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'

/** A release. */
export function toRelease(
  rendering: Rendering,
  repository: IndexedRepository,
  place: string,
): JsonObject | undefined {
  const release = readRelease(repository, place)
  if (!release) return undefined
  const id = releaseNumber(rendering, place)
  return {
    url: `${repositoryUrl(rendering, repository)}/releases/${id}`,
    html_url: release.url,
    id,
    node_id: formatNodeId('Release', id),
    tag_name: release.tag,
    target_commitish: release.target,
    name: release.name,
    draft: release.isDraft,
    prerelease: release.isPrerelease,
    created_at: orEpoch(release.createdAt),
    published_at: release.publishedAt,
    author: userOf(rendering, release.user, repository.host),
    assets: listReleaseFiles(repository, place).map(({ name, contentType, createdAt }) => ({
      name,
      content_type: contentType,
      created_at: orEpoch(createdAt),
    })),
    body: release.body,
  }
}

/** The number of a release by its URL. */
export const releaseNumber = ({ reader }: Rendering, url: string): number =>
  reader.people.numberOf('Release', url)

/** The number of a file of a release. */
export const fileNumber = ({ reader }: Rendering, { url }: ReleaseFile): number =>
  reader.people.numberOf('ReleaseAsset', url)

/** A file of a release. Archives have no count of downloads. */
export function toAsset(
  rendering: Rendering,
  repository: IndexedRepository,
  file: ReleaseFile,
): JsonObject {
  const { url, name, contentType, user, createdAt, content } = file
  const number = fileNumber(rendering, file)
  const created = orEpoch(createdAt)
  return {
    url: `${repositoryUrl(rendering, repository)}/releases/assets/${number}`,
    id: number,
    node_id: formatNodeId('ReleaseAsset', number),
    name,
    label: null,
    uploader: userOf(rendering, user, repository.host),
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
  repository: IndexedRepository,
  place: string,
): JsonObject | undefined {
  const common = toRelease(rendering, repository, place)
  if (!common) return undefined
  const files = listReleaseFiles(repository, place)
  // A draft has no tag yet.
  const { draft, tag_name } = common
  const hasTag = draft === false && tag_name !== ''
  const sourceUrl = (form: string) =>
    hasTag ? `${repositoryUrl(rendering, repository)}/${form}/${pathInUrl(asText(tag_name))}` : null
  return {
    ...common,
    assets: files.map((file) => toAsset(rendering, repository, file)),
    assets_url: `${common.url}/assets`,
    upload_url: `${common.url}/assets{?name,label}`,
    tarball_url: sourceUrl('tarball'),
    zipball_url: sourceUrl('zipball'),
  }
}
