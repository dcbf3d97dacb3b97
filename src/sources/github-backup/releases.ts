import { pathOf } from '../../archive/entry-role.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { isRefName } from '../../rules/ref-name.ts'
import { isFileName } from '../file-name.ts'
import { madeUuid } from '../made-id.ts'
import { NO_BRANCH, timeOf } from '../members.ts'
import { partOfUrl } from '../people.ts'
import { reactionsOf } from './comments.ts'
import { isDerivable } from './derivable.ts'
import { fromRest } from './from-rest.ts'
import type { Repository } from './repository.ts'

/**
 * The path in the archive of a file of a release.
 *
 * @param folder the name of the release in paths: that of its tag, with `__` for each slash
 */
export function assetPath({ url }: Repository, folder: string, name: string): string {
  const id = madeUuid(`github-backup release_assets ${url} ${folder} ${name}`)
  return pathOf({ role: 'release-asset', id, name })
}

/** Adds the record of a file `releases/TAG.json`. */
export function addRelease(
  repository: Repository,
  object: JsonObject,
  { entry, folder }: { entry: string; folder: string },
): void {
  const members = repository.members(object, entry)
  const published = timeOf(String(members.see('published_at'))) ?? null
  const created_at = repository.date(members, 'created_at', entry, published)
  const read = fromRest(repository, 'releases', members, created_at)
  const tag_name = members.branch('tag_name') ?? (isRefName(folder) ? folder : NO_BRANCH)
  const isDraft = members.flag('draft') ?? false
  const page = members.text('html_url')
  const inUrl = page?.split('/releases/tag/')[1] ?? tag_name.split('/').map(partOfUrl).join('/')
  const assets = members.objects('assets').map((asset, i) => {
    const inner = repository.members(asset, entry, `assets[${i}]`)
    const made = repository.date(inner, 'created_at', entry, created_at)
    const told = fromRest(repository, 'release_assets', inner, made)
    const { asset_name: name, asset_content_type: type } = told
    const file: JsonObject = {
      ...told,
      asset_content_type: type ?? 'application/octet-stream',
      asset_url: isFileName(name) ? `tarball://root/${assetPath(repository, folder, name)}` : null,
      created_at: made,
    }
    return { ...file, ...inner.rest('', isDerivable, file) }
  })
  repository.add(
    'releases',
    {
      type: 'release',
      url: `${repository.url}/releases/tag/${inUrl}`,
      repository: repository.url,
      user: read.user,
      name: read.name,
      tag_name,
      body: read.body,
      state: isDraft ? 'draft' : 'published',
      pending_tag: tag_name,
      prerelease: read.prerelease ?? false,
      target_commitish: members.text('target_commitish') ?? 'main',
      release_assets: assets,
      published_at: read.published_at,
      created_at,
      ...reactionsOf(members),
    },
    members,
  )
}
