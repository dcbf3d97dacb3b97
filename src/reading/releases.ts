/** Releases and their files, as `database/schema/facts/repositories.ts` has them. */

import { lastPart } from '../base/text.ts'
import { utcTimeOf } from '../database/schema/facts/values.ts'
import type { Repository } from './library.ts'
import { Memo } from './remembered.ts'
import { toTimeOrNull } from './times.ts'
import { findStored, type StoredUpload } from './uploads.ts'
import { asList, asObject, asText, asTextOrNull } from './values.ts'

/** A release in a list. */
export interface ListedRelease {
  readonly url: string
  readonly tag: string
  readonly isDraft: boolean
  readonly isPrerelease: boolean
  /** Whether it is the newest that is neither a draft nor a prerelease. */
  readonly isLatest: boolean
}

/**
 * The releases of a repository, those published last first.
 *
 * @param withDrafts also those that only people see who may write
 */
export function listReleases(
  { store, url }: Repository,
  { withDrafts = true }: { withDrafts?: boolean } = {},
): readonly ListedRelease[] {
  const all = store.remember(LISTED, url, () =>
    store
      .all<{ url: string; tag: string | null; draft: number; pre: number; latest: number }>(
        `SELECT url, CAST(tag_name AS TEXT) AS tag, is_draft AS draft, is_prerelease AS pre, is_latest AS latest
         FROM release_facts WHERE repository = ? AND url IS NOT NULL ORDER BY at DESC, url DESC`,
        url,
      )
      .map(({ url, tag, draft, pre, latest }) => ({
        url,
        tag: tag ?? '',
        isDraft: draft === 1,
        isPrerelease: pre === 1,
        isLatest: latest === 1,
      })),
  )
  return withDrafts ? all : all.filter(({ isDraft }) => !isDraft)
}

const LISTED = new Memo<readonly ListedRelease[]>((releases) => 400 * releases.length)

/** The record of a release. Times are in UTC; a value that is no time is null. */
export interface Release {
  readonly url: string
  readonly tag: string
  /** The branch or commit that the tag was to be made of. */
  readonly target: string
  readonly name: string
  readonly body: string
  /** Who made it, by URL. */
  readonly user: string | null
  readonly isDraft: boolean
  readonly isPrerelease: boolean
  readonly createdAt: string | null
  readonly publishedAt: string | null
}

const COLUMNS = `tag_name, target_commitish, name, body, user, state, prerelease, ${utcTimeOf('created_at')},
  ${utcTimeOf('published_at')}`

/** The release with a URL; undefined without a record. */
export function readRelease({ store }: Repository, url: string): Release | undefined {
  const row = store.recordAt('releases', COLUMNS, url)
  if (!row) return undefined
  const [tag, target, name, body, user, state, prerelease, created, published] = row
  return {
    url,
    tag: asText(tag),
    target: asText(target),
    name: asText(name),
    body: asText(body),
    user: asTextOrNull(user),
    isDraft: state !== 'published',
    isPrerelease: prerelease === 1,
    createdAt: asTextOrNull(created),
    publishedAt: asTextOrNull(published),
  }
}

/** A file of a release. */
export interface ReleaseFile {
  readonly url: string
  /** That of its record, or the end of its URL. */
  readonly name: string
  readonly contentType: string
  /** Who uploaded it, by URL. */
  readonly user: string | null
  readonly createdAt: string | null
  /** Its content; undefined if the archive has none. */
  readonly content: StoredUpload | undefined
}

/** The files of a release by its URL, in the order of the record: each URL once, and none without. */
export function listReleaseFiles({ store }: Repository, release: string): readonly ReleaseFile[] {
  const list = store.recordAt('releases', 'release_assets', release)?.[0]
  const files = new Map<string, ReleaseFile>()
  for (const entry of asList(list).map(asObject)) {
    const url = asText(entry.url)
    if (url === '' || files.has(url)) continue
    files.set(url, {
      url,
      name: asText(entry.asset_name) || lastPart(url),
      contentType: asText(entry.asset_content_type),
      user: asText(entry.user) || null,
      createdAt: toTimeOrNull(entry.created_at),
      content: findStored(store, asText(entry.asset_url)),
    })
  }
  return [...files.values()]
}
