import { readWholeFile } from '../../database/contents/read-file.ts'
import { notModified } from '../../http/etag.ts'
import { notFound } from '../../http/http-error.ts'
import {
  type ListedRelease,
  listReleaseFiles,
  listReleases,
  type ReleaseFile,
} from '../../reading/releases.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { Answer, Handler, RequestContext, RequestHead } from '../request-context.ts'
import { fileNumber, releaseNumber, toAsset, toReleaseWithAssets } from '../resources/releases.ts'
import type { Rendering } from '../resources/rendering.ts'
import { inRepository, numberInPath, readerOf, renderingOf } from './find-in-path.ts'

/** The releases that the caller may see: drafts need the right to write. */
function releasesOf(head: RequestHead, repository: IndexedRepository): readonly ListedRelease[] {
  const permission = readerOf(head).permissions.permissionOf(head.caller, repository)
  return listServed(repository, permission === 'push' || permission === 'admin')
}

/** Those that have an address on the host. */
const listServed = (repository: IndexedRepository, withDrafts: boolean): readonly ListedRelease[] =>
  listReleases(repository, { withDrafts }).filter(({ url }) =>
    url.startsWith(`${repository.url}/releases/tag/`),
  )

/** The releases of a repository, those published last first. */
export const repositoryReleases: Handler = inRepository((context, repository) => {
  const releases = releasesOf(context, repository)
  const rendering = renderingOf(context)
  const items = (offset: number, limit: number) =>
    releases
      .slice(offset, offset + limit)
      .flatMap(({ url }) => toReleaseWithAssets(rendering, repository, url) ?? [])
  return { status: 200, list: { total: releases.length, items } }
})

function findRelease(head: RequestHead, repository: IndexedRepository): ListedRelease {
  const number = numberInPath(head, 'release_id')
  const rendering = renderingOf(head)
  const found = releasesOf(head, repository).find(
    ({ url }) => releaseNumber(rendering, url) === number,
  )
  if (!found) throw notFound()
  return found
}

const answerRelease = (
  context: RequestContext,
  repository: IndexedRepository,
  release: ListedRelease | undefined,
): Answer => {
  const body = release && toReleaseWithAssets(renderingOf(context), repository, release.url)
  if (!body) throw notFound()
  return { status: 200, body }
}

export const release: Handler = inRepository((context, repository) =>
  answerRelease(context, repository, findRelease(context, repository)),
)

/** The release that was published last. Drafts and prereleases are none. */
export const latestRelease: Handler = inRepository((context, repository) => {
  const releases = listServed(repository, false)
  return answerRelease(
    context,
    repository,
    releases.find(({ isPrerelease }) => !isPrerelease),
  )
})

/** The release of a tag. Drafts have none yet. */
export const releaseByTag: Handler = inRepository((context, repository) => {
  const { tag } = context.params
  const releases = listServed(repository, false)
  return answerRelease(
    context,
    repository,
    releases.find((each) => each.tag === tag),
  )
})

export const releaseAssets: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const assets = listReleaseFiles(repository, findRelease(context, repository).url)
  const items = (offset: number, limit: number) =>
    assets.slice(offset, offset + limit).map((each) => toAsset(rendering, repository, each))
  return { status: 200, list: { total: assets.length, items } }
})

/** The URL of the release that the file with a number belongs to. */
function releaseOfFile(rendering: Rendering, repository: IndexedRepository, number: number) {
  const { library } = rendering.reader
  const urls = library.remember(FILES, String(repository.id), () => {
    const all = listServed(repository, true)
    const numbered = all.flatMap(({ url }) =>
      listReleaseFiles(repository, url).map((file) => [fileNumber(rendering, file), url] as const),
    )
    return new Map(numbered)
  })
  return urls.get(number)
}

const FILES = new Memo<ReadonlyMap<number, string>>(({ size }) => size * 200)

/** A file of a release, or its bytes if the request accepts bytes. */
export const releaseAsset: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const number = numberInPath(context, 'asset_id')
  const release = releaseOfFile(rendering, repository, number)
  const isSeen = releasesOf(context, repository).some(({ url }) => url === release)
  const files = release !== undefined && isSeen ? listReleaseFiles(repository, release) : []
  const asset = files.find((file) => fileNumber(rendering, file) === number)
  if (!asset) throw notFound()
  return context.media.acceptsBytes
    ? sendStored(context, asset)
    : { status: 200, body: toAsset(rendering, repository, asset) }
})

/** Answers with the bytes of an uploaded file, if the database has them. */
export function sendStored(
  context: RequestContext,
  { content, name, contentType }: Pick<ReleaseFile, 'content' | 'name' | 'contentType'>,
): Answer {
  if (!content?.stored) throw notFound()
  const facts = { ETag: `"${content.sha256}"`, 'Cache-Control': 'private, no-cache' }
  const known = notModified(context.headers, facts)
  if (known) return known
  const bytes = async function* () {
    yield* readWholeFile(content.store.database, { id: content.file, ...content })
  }
  return {
    status: 200,
    headers: {
      ...facts,
      // An upload of a stranger is never shown as a page of this server.
      'Content-Type': /^[\w.+-]+\/[\w.+-]+$/.test(contentType)
        ? contentType
        : 'application/octet-stream',
      'Content-Length': String(content.size),
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeName(name)}`,
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
    bytes: bytes(),
  }
}

/** A file name for a header: everything but letters, digits and a few marks is encoded. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
