import { readWholeFile } from '../../database/contents/read-file.ts'
import type { Release } from '../catalog/releases.ts'
import type { Repository } from '../catalog/repositories.ts'
import { isNotModified } from '../http/conditional.ts'
import { notFound } from '../http/http-error.ts'
import type { Answer, Handler, RequestContext, RequestHead } from '../request-context.ts'
import { assetsOf, type ReleaseAsset, toAsset, toReleaseWithAssets } from '../resources/releases.ts'
import { inRepository, numberInPath, readerOf, renderingOf } from './find-in-path.ts'

/** The releases that the caller may see: drafts need the right to write. */
function releasesOf(head: RequestHead, repository: Repository): readonly Release[] {
  const { permissions, releases } = readerOf(head)
  const permission = permissions.permissionOf(head.caller, repository)
  return releases.list(repository, permission === 'push' || permission === 'admin')
}

/** The releases of a repository, those published last first. */
export const repositoryReleases: Handler = inRepository((context, repository) => {
  const releases = releasesOf(context, repository)
  const rendering = renderingOf(context)
  const items = (offset: number, limit: number) =>
    releases
      .slice(offset, offset + limit)
      .flatMap((each) => toReleaseWithAssets(rendering, { repository, ...each }) ?? [])
  return { status: 200, list: { total: releases.length, items } }
})

function findRelease(head: RequestHead, repository: Repository): Release {
  const number = numberInPath(head, 'release_id')
  const found = releasesOf(head, repository).find((each) => each.number === number)
  if (!found) throw notFound()
  return found
}

const answerRelease = (
  context: RequestContext,
  repository: Repository,
  release: Release | undefined,
): Answer => {
  const body = release && toReleaseWithAssets(renderingOf(context), { repository, ...release })
  if (!body) throw notFound()
  return { status: 200, body }
}

export const release: Handler = inRepository((context, repository) =>
  answerRelease(context, repository, findRelease(context, repository)),
)

/** The release of a tag. Drafts have none yet. */
export const releaseByTag: Handler = inRepository((context, repository) => {
  const { tag } = context.params
  const releases = readerOf(context).releases.list(repository, false)
  return answerRelease(
    context,
    repository,
    releases.find((each) => each.tag === tag),
  )
})

export const releaseAssets: Handler = inRepository((context, repository) => {
  const { row } = findRelease(context, repository)
  const rendering = renderingOf(context)
  const assets = assetsOf(rendering, repository, row)
  const items = (offset: number, limit: number) =>
    assets.slice(offset, offset + limit).map((each) => toAsset(rendering, repository, each))
  return { status: 200, list: { total: assets.length, items } }
})

/** The rows of the releases that files belong to, by the numbers of the files. */
function releaseOfAsset(context: RequestContext, repository: Repository, number: number) {
  const rendering = renderingOf(context)
  const { releases, sources } = rendering.reader
  const rows = sources.remember(
    `assets ${repository.id}`,
    () =>
      new Map(
        releases
          .list(repository, true)
          .flatMap(({ row }) =>
            assetsOf(rendering, repository, row).map((asset) => [asset.number, row] as const),
          ),
      ),
    ({ size }) => size * 50,
  )
  const row = rows.get(number)
  return releasesOf(context, repository).find((each) => each.row === row)
}

/** A file of a release, or its bytes if the request accepts bytes. */
export const releaseAsset: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const number = numberInPath(context, 'asset_id')
  const release = releaseOfAsset(context, repository, number)
  const assets = release ? assetsOf(rendering, repository, release.row) : []
  const asset = assets.find((each) => each.number === number)
  if (!asset) throw notFound()
  const accept = context.headers.get('accept') ?? ''
  return /application\/octet-stream/i.test(accept)
    ? sendStored(context, repository, asset)
    : { status: 200, body: toAsset(rendering, repository, asset) }
})

/** Answers with the bytes of an uploaded file, if the database has them. */
export function sendStored(
  context: RequestContext,
  { database }: Pick<Repository, 'database'>,
  { content, name, contentType }: Pick<ReleaseAsset, 'content' | 'name' | 'contentType'>,
): Answer {
  const source = readerOf(context).sources.databases[database]
  if (!content?.isStored || !source) throw notFound()
  const etag = `"${content.sha256}"`
  const facts = { ETag: etag, 'Cache-Control': 'private, no-cache' }
  if (isNotModified(context.headers, etag, undefined)) return { status: 304, headers: facts }
  const bytes = async function* () {
    yield* readWholeFile(source, content)
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
