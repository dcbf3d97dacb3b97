import { pathOf } from '../../archive/entry-role.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { isRefName } from '../../rules/ref-name.ts'
import { isFileName } from '../file-name.ts'
import { madeUuid } from '../made-id.ts'
import { NO_BRANCH } from '../members.ts'
import { partOfUrl } from '../people.ts'
import { reactionsOf } from './comments.ts'
import { isDerivable } from './derivable.ts'
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
  const published_at = members.time('published_at')
  const created_at = repository.date(members, 'created_at', entry, published_at)
  const tag_name = members.branch('tag_name') ?? (isRefName(folder) ? folder : NO_BRANCH)
  const isDraft = members.flag('draft') ?? false
  const page = members.text('html_url')
  const inUrl = page?.split('/releases/tag/')[1] ?? tag_name.split('/').map(partOfUrl).join('/')
  const assets = members.objects('assets').map((asset, i) => {
    const inner = repository.members(asset, entry, `assets[${i}]`)
    const name = inner.text('name') ?? ''
    const made = repository.date(inner, 'created_at', entry, created_at)
    const file: JsonObject = {
      url: inner.text('browser_download_url'),
      user: repository.person(inner, 'uploader', made),
      asset_name: name,
      asset_content_type: inner.text('content_type') ?? 'application/octet-stream',
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
      user: repository.person(members, 'author', created_at),
      name: members.text('name'),
      tag_name,
      body: members.text('body'),
      state: isDraft ? 'draft' : 'published',
      pending_tag: tag_name,
      prerelease: members.flag('prerelease') ?? false,
      target_commitish: members.text('target_commitish') ?? 'main',
      release_assets: assets,
      published_at,
      created_at,
      ...reactionsOf(members),
    },
    members,
  )
}
