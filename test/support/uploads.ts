/** Records of uploads, each with its file, for archives made in tests. */

import type { FileContent, Files } from './build-tar.ts'

export const REPOSITORY = 'https://H/o/r'

/** The first bytes of a PNG, and something to tell it from others. */
export const png = (rest: string | number = '') =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(String(rest))])

/** An attachment of issue 1 with its file at `attachments/<id>/<name>`, unless told otherwise. */
export const attachment = (id: string, more: object = {}, name = 'a.png') => ({
  type: 'attachment',
  url: `https://H/user-attachments/assets/${id}`,
  issue: `${REPOSITORY}/issues/1`,
  user: 'https://H/ada',
  asset_name: name,
  asset_content_type: 'image/png',
  asset_url: `tarball://root/attachments/${id}/${name}`,
  created_at: '2021-01-01T00:00:00Z',
  ...more,
})

/** A file other than a picture at `repository_files/<id>/<name>`. */
export const repositoryFile = (id: number, name = 'a.txt') => ({
  type: 'repository_file',
  url: `https://H/user-attachments/files/${id}/${name}`,
  repository: REPOSITORY,
  user: 'https://H/ada',
  file_name: name,
  file_content_type: 'text/plain',
  file_url: `tarball://root/repository_files/${id}/${name}`,
  created_at: '2021-01-01T00:00:00Z',
})

/** A release with one asset at `releases/<id>/<name>`. */
export const releaseWith = (id: string, name: string) => ({
  type: 'release',
  url: `${REPOSITORY}/releases/tag/v1`,
  repository: REPOSITORY,
  release_assets: [
    {
      url: `${REPOSITORY}/releases/download/v1/${name}`,
      asset_name: name,
      asset_content_type: 'application/zip',
      asset_url: `tarball://root/releases/${id}/${name}`,
    },
  ],
})

/** An archive of attachments: for each id its file, and what its record has beside the usual. */
export function archiveOf(uploads: Record<string, [content: FileContent, more?: object]>): Files {
  const entries = Object.entries(uploads)
  return {
    'attachments_000001.json': entries.map(([id, [, more]]) => attachment(id, more)),
    ...Object.fromEntries(
      entries.map(([id, [content]]) => [`attachments/${id}/a.png`, content] as const),
    ),
  }
}
