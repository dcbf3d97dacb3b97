import type { Relation, RelationColumn } from './relation.ts'

const table = (
  name: string,
  summary: string,
  columns: Record<string, readonly [type: string, description: string, refersTo?: string]>,
  more: Pick<Relation, 'indexes'> = {},
): Relation => ({
  name,
  type: 'table',
  summary,
  columns: Object.entries(columns).map(
    ([column, [type, description, refersTo]]): RelationColumn => ({
      name: column,
      type,
      description,
      ...(refersTo && { refersTo: [refersTo] }),
    }),
  ),
  ...more,
})

/** The tables that hold no records: archives, files, Git data, problems and event types. */
export const SYSTEM_TABLES: readonly Relation[] = [
  table('archives', 'The loaded archives.', {
    id: ['INTEGER PRIMARY KEY', 'Number in the order of loading.'],
    name: ['TEXT NOT NULL', 'Name of the file or folder.'],
    size: ['INTEGER', 'Bytes of the file; NULL for a folder.'],
    sha256: [
      'TEXT UNIQUE NOT NULL',
      'SHA-256 of the file, or of the paths and contents of a folder.',
    ],
    state: [
      'TEXT NOT NULL',
      'complete, salvaged (from a damaged file), or replaced (by later archives, after salvage).',
    ],
    schema_version: ['TEXT', 'The version in schema.json; NULL without one.'],
    github_sha: [
      'TEXT',
      'github_sha in schema.json: the commit of the server that wrote the archive.',
    ],
    schema: ['TEXT', 'The text of schema.json.'],
    urls: ['TEXT', 'The text of urls.json: templates for the URLs of another host.'],
    form: ['TEXT NOT NULL', 'Container, tar dialect and path prefix, as a JSON object.'],
    exported_at: [
      'TEXT',
      'When it was exported, from the times of its record files or else its newest record; NULL if unknown.',
    ],
    loaded_at: ['TEXT NOT NULL', 'When it was loaded.'],
    loaded_by: ['TEXT NOT NULL', 'Version of the program that loaded it.'],
  }),
  table('record_files', 'The record files of the archives, such as issues_000001.json.', {
    archive: ['INTEGER NOT NULL', 'The archive.', 'archives'],
    path: ['TEXT NOT NULL', 'Path in the archive.'],
    kind: ['TEXT NOT NULL', 'The kind in its name: the table of most of its records.'],
    records: ['INTEGER NOT NULL', 'Number of records.'],
    size: ['INTEGER NOT NULL', 'Bytes.'],
    modified_at: ['TEXT NOT NULL', 'Modification time in the archive.'],
    crc32: [
      'INTEGER NOT NULL',
      'CRC-32 of the bytes, to verify that a build writes the same file.',
    ],
    layout: [
      'TEXT NOT NULL',
      'host (indented as GitHub does), compact (no white space) or other (a build writes host).',
    ],
    replaced: ['INTEGER NOT NULL', 'Number of its records replaced by later ones.'],
    checksums: [
      'BLOB NOT NULL',
      'CRC-32 of each record as built, in order: 4 bytes each, big-endian; 0 for an element that is not a record.',
    ],
  }),
  table(
    'entries',
    'The tar entries of the archives as loaded, in order. marc build and marc doctor compare with them.',
    {
      id: ['INTEGER PRIMARY KEY', 'Number in the order of the archive.'],
      archive: ['INTEGER NOT NULL', 'The archive.', 'archives'],
      path: ['TEXT NOT NULL', 'Path in the archive; a directory ends with /.'],
      role: [
        'TEXT NOT NULL',
        'directory, records, schema, urls, git, attachment, repository-file, release-asset, lfs, audit-log or unknown.',
      ],
      size: ['INTEGER NOT NULL', 'Bytes.'],
      sha256: ['BLOB', 'SHA-256 of the content; NULL for record files and directories.'],
      mode: ['INTEGER NOT NULL', 'Permissions.'],
      modified_at: ['TEXT NOT NULL', 'Modification time in the archive.'],
      header: ['INTEGER', 'The header template it shares with other entries.', 'tar_headers'],
      whole_header: ['BLOB', 'Its complete headers, compressed, if no template fits.'],
    },
    { indexes: [{ name: 'entries_by_path', on: 'path' }] },
  ),
  table(
    'tar_headers',
    'Templates of tar headers, without the fields that differ between entries.',
    {
      id: ['INTEGER PRIMARY KEY', 'Number.'],
      bytes: [
        'BLOB UNIQUE NOT NULL',
        'The header: name removed, each digit 0, trailing zeros cut.',
      ],
    },
  ),
  table(
    'files',
    'The files of the archives except record files: attachments, release assets, Git data.',
    {
      id: ['INTEGER PRIMARY KEY', 'Number.'],
      archive: ['INTEGER NOT NULL', 'The archive.', 'archives'],
      path: ['TEXT NOT NULL', 'Path in the archive.'],
      role: [
        'TEXT NOT NULL',
        'git, attachment, repository-file, release-asset, lfs, audit-log or unknown.',
      ],
      repository: ['TEXT', 'owner/name of its Git repository, owner/name.wiki for a wiki.'],
      size: ['INTEGER NOT NULL', 'Bytes.'],
      sha256: ['TEXT NOT NULL', 'SHA-256 of the content.'],
      mode: ['INTEGER NOT NULL', 'Permissions.'],
      modified_at: ['TEXT NOT NULL', 'Modification time in the archive.'],
      stored: [
        'INTEGER NOT NULL',
        '1 if the content is in chunks, 0 if it was left out on request.',
      ],
    },
    {
      indexes: [
        { name: 'files_by_path', on: 'path' },
        { name: 'files_by_sha256', on: 'sha256' },
        { name: 'files_by_repository', on: 'repository', where: 'repository IS NOT NULL' },
      ],
    },
  ),
  table(
    'file_chunks',
    'The chunks of each file.',
    {
      file: ['INTEGER NOT NULL', 'The file.', 'files'],
      position: ['INTEGER NOT NULL', 'Position of the chunk, from 0; all but the last hold 1 MiB.'],
      chunk: ['INTEGER NOT NULL', 'The chunk.', 'chunks'],
    },
    { indexes: [{ name: 'file_chunks_by_file', on: 'file, position', unique: true }] },
  ),
  table('chunks', 'The contents of files, deduplicated.', {
    id: ['INTEGER PRIMARY KEY', 'Number.'],
    sha256: ['BLOB UNIQUE NOT NULL', 'SHA-256 of the bytes.'],
    bytes: ['BLOB NOT NULL', 'The bytes, 1 MiB at most.'],
  }),
  table(
    'refs',
    'Branches, tags and other refs of the Git repositories.',
    {
      archive: ['INTEGER NOT NULL', 'The archive.', 'archives'],
      repository: ['TEXT NOT NULL', 'owner/name, or owner/name.wiki for a wiki.'],
      name: ['TEXT NOT NULL', 'Full name, such as refs/heads/main, or HEAD.'],
      oid: [
        'TEXT',
        'Object id, 40 hexadecimal digits; NULL for a symbolic ref to an unborn branch.',
      ],
      peeled: ['TEXT', 'The object an annotated tag peels to; NULL for other refs.'],
      target: ['TEXT', 'Target of a symbolic ref, such as the branch of HEAD.'],
      packed: ['INTEGER NOT NULL', '1 if it is in packed-refs, 0 if it is a loose ref.'],
    },
    { indexes: [{ name: 'refs_by_name', on: 'repository, name, packed' }] },
  ),
  table(
    'git_packs',
    'Packs and pack indexes of the Git repositories.',
    {
      archive: ['INTEGER NOT NULL', 'The archive.', 'archives'],
      repository: ['TEXT NOT NULL', 'owner/name, or owner/name.wiki for a wiki.'],
      path: ['TEXT NOT NULL', 'Path in the archive; it ends with .pack or .idx.'],
      version: ['INTEGER', 'Format version; NULL if the file is neither a pack nor an index.'],
      objects: ['INTEGER', 'Number of objects.'],
    },
    { indexes: [{ name: 'git_packs_by_path', on: 'path' }] },
  ),
  table('problems', 'Problems found while loading that did not stop it.', {
    archive: ['INTEGER NOT NULL', 'The archive.', 'archives'],
    code: ['TEXT NOT NULL', 'The problem code.'],
    entry: ['TEXT', 'The entry.'],
    record: ['INTEGER', 'The number of the record in the entry, from 1.'],
    member: ['TEXT', 'The member of the record.'],
    message: ['TEXT NOT NULL', 'Expected and found values.'],
    content: ['TEXT', 'JSON stored nowhere else, such as a replaced record with the same URL.'],
    times: [
      'INTEGER NOT NULL',
      'Number of records with the problem; entry and record are those of the first.',
    ],
  }),
  table(
    'row_checksums',
    'Checksums of the rows of the tables that hold no records, as loaded. marc doctor compares with them.',
    {
      name: ['TEXT PRIMARY KEY NOT NULL', 'The table.'],
      checksums: [
        'BLOB NOT NULL',
        'CRC-32 of each row, in ascending order: 4 bytes each, big-endian.',
      ],
    },
  ),
  table('event_types', 'The meanings of issue_events.event.', {
    event: ['TEXT PRIMARY KEY', 'The value.'],
    meaning: ['TEXT NOT NULL', 'What happened.'],
    members: ['TEXT NOT NULL', 'Members that only such events have: a JSON array.'],
    source: ['TEXT NOT NULL', 'documented (by GitHub), seen (in real archives) or exporter.'],
  }),
]
