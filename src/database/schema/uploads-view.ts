import { afterLastSlash } from './derive-column.ts'
import { loginOf } from './facts/people.ts'
import { type View, view } from './view.ts'

const ROOT = 'tarball://root/'

const pathOf = (address: string) =>
  `CASE WHEN ${address} GLOB '${ROOT}?*' THEN substr(${address}, ${ROOT.length + 1}) END`

// As everywhere, the last of several files with one path counts. Git data is never an upload.
const withFile = (address: string) =>
  `LEFT JOIN files AS f ON f.id = (SELECT max(id) FROM files WHERE path = ${pathOf(address)})
  AND f.role NOT IN ('git', 'lfs')`

/** The size in a record. GitHub writes none, but other exporters do. */
const sizeIn = (object: string) => {
  const sizes = ['size', 'asset_size', 'file_size'].map((name) => `${object} ->> '${name}'`)
  return `CASE WHEN json_valid(${object}) THEN coalesce(${sizes.join(', ')}) END`
}

const file = {
  file: 'f.id',
  size: 'f.size',
  sha256: 'f.sha256',
  present: 'f.id IS NOT NULL',
  stored: 'coalesce(f.stored, 0)',
}

const PARENTS = [
  'issue',
  'issue_comment',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'commit_comment',
]

const asset = (member: string) => `CASE e.type WHEN 'object' THEN e.value ->> '${member}' END`
const assets = (releases: string) =>
  `json_each(CASE WHEN json_valid(${releases}) THEN ${releases} END)`

/** Every URL of an upload in a record. */
const NAMED = `SELECT asset_url FROM attachments WHERE asset_url IS NOT NULL
  UNION ALL SELECT file_url FROM repository_files WHERE file_url IS NOT NULL
  UNION ALL SELECT ${asset('asset_url')} AS address
  FROM releases AS o, ${assets('o.release_assets')} AS e WHERE address IS NOT NULL`

type Part = View['parts'][number]

/** The uploads that have a record. */
const BY_RECORD: Readonly<Record<'attachment' | 'repository_file', Part>> = {
  attachment: {
    from: `attachments AS o ${withFile('o.asset_url')}`,
    ...file,
    url: 'o.url',
    kind: "'attachment'",
    parent_kind: `CASE ${PARENTS.map((name) => `WHEN o.${name} IS NOT NULL THEN '${name}'`).join(' ')} END`,
    parent: 'o.parent',
    // A lookup is many times faster than parsing the URL of a comment.
    full_name: `coalesce(
(SELECT full_name FROM repositories WHERE url = o.repository), o.full_name)`,
    number: 'o.number',
    user_login: loginOf('o.user', 'o.user_login'),
    name: 'o.asset_name',
    media_type: 'o.asset_content_type',
    record_size: sizeIn('o._extra'),
    created_at: 'coalesce(o.created_at, o.created_date)',
    address: 'o.asset_url',
    path: pathOf('o.asset_url'),
  },
  repository_file: {
    from: `repository_files AS o ${withFile('o.file_url')}`,
    ...file,
    url: 'o.url',
    kind: "'repository_file'",
    parent_kind: 'NULL',
    parent: 'NULL',
    full_name: 'o.full_name',
    number: 'NULL',
    user_login: loginOf('o.user', 'o.user_login'),
    name: 'o.file_name',
    media_type: 'o.file_content_type',
    record_size: sizeIn('o._extra'),
    created_at: 'o.created_at',
    address: 'o.file_url',
    path: pathOf('o.file_url'),
  },
}

const DESCRIPTION = {
  name: 'uploads',
  summary:
    'Uploaded images, files and release assets, with the record each belongs to and its file.',
  columns: {
    url: 'URL of the record; NULL for a file without a record.',
    kind: 'attachment, repository_file or release_asset; file without a record.',
    parent_kind:
      'Kind of the record it belongs to: issue, pull_request, a comment or review, or release.',
    parent: 'The record it belongs to, by URL; NULL for a repository_file.',
    full_name: 'owner/name of the repository.',
    number: 'Number of the issue or pull request.',
    user_login: 'Login of the uploader.',
    name: 'Name of the file.',
    media_type: 'Media type of the file, such as image/png.',
    record_size: 'Bytes according to the record; NULL if it does not say.',
    created_at: 'When it was uploaded.',
    address: 'URL of the file in the record: tarball://root/…',
    path: 'Path in the archive.',
    file: 'Id in files; NULL if the file is missing.',
    size: 'Bytes of the file.',
    sha256: 'SHA-256 of the content.',
    present: '1 if the archive has the file, 0 if it is missing.',
    stored: '1 if the content is in the database.',
  },
}

/** The view that joins uploads to their records and files. */
export const uploads = view({
  ...DESCRIPTION,
  parts: [
    ...Object.values(BY_RECORD),
    {
      from: `releases AS o, ${assets('o.release_assets')} AS e ${withFile(asset('asset_url'))}`,
      ...file,
      url: asset('url'),
      kind: "'release_asset'",
      parent_kind: "'release'",
      parent: 'o.url',
      full_name: 'o.full_name',
      number: 'NULL',
      user_login: loginOf(asset('user'), afterLastSlash(asset('user'))),
      name: asset('asset_name'),
      media_type: asset('asset_content_type'),
      record_size: sizeIn(`CASE e.type WHEN 'object' THEN e.value END`),
      created_at: asset('created_at'),
      address: asset('asset_url'),
      path: pathOf(asset('asset_url')),
    },
    {
      from: 'files AS f',
      where: `f.role IN ('attachment', 'repository-file', 'release-asset')
  AND f.id = (SELECT max(id) FROM files WHERE path = f.path)
  AND '${ROOT}' || f.path NOT IN (${NAMED})`,
      ...file,
      ...Object.fromEntries(
        ['url', 'parent_kind', 'parent', 'full_name', 'number', 'user_login', 'name'].map(
          (column) => [column, 'NULL'],
        ),
      ),
      kind: "'file'",
      media_type: 'NULL',
      record_size: 'NULL',
      created_at: 'NULL',
      address: 'NULL',
      path: 'f.path',
    },
  ],
})

/** The rows of one kind. In the view itself, SQLite would scan all files for each query. */
export const linksOfKind = (kind: keyof typeof BY_RECORD): string =>
  `(${view({ ...DESCRIPTION, parts: [BY_RECORD[kind]] }).select})`
