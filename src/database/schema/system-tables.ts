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

/** The tables for what is no record: where everything came from, files, problems, and words explained. */
export const SYSTEM_TABLES: readonly Relation[] = [
  table('archives', 'The archives that were loaded.', {
    id: ['INTEGER PRIMARY KEY', 'Number in the order of loading.'],
    name: ['TEXT NOT NULL', 'Name of the file or folder.'],
    size: ['INTEGER', 'Bytes of the file; NULL for a folder.'],
    sha256: [
      'TEXT UNIQUE NOT NULL',
      'SHA-256 of the file, or of the paths and contents of a folder.',
    ],
    state: [
      'TEXT NOT NULL',
      'complete; salvaged from a damaged file; or replaced, if later ones hold all that was salvaged.',
    ],
    schema_version: ['TEXT', 'version in schema.json; NULL without one.'],
    github_sha: ['TEXT', 'Commit of the host that wrote the archive, from schema.json.'],
    schema: ['TEXT', 'schema.json as it is.'],
    urls: ['TEXT', 'urls.json as it is: templates for the urls of another host.'],
    form: [
      'TEXT NOT NULL',
      'What the archive looks like outside, as JSON: container, dialect, prefix.',
    ],
    exported_at: [
      'TEXT',
      'When it was made, by the times of its files of records, or by its newest record if these tell nothing; NULL if unknown.',
    ],
    loaded_at: ['TEXT NOT NULL', 'When it was loaded.'],
    loaded_by: ['TEXT NOT NULL', 'Version of the program that loaded it.'],
  }),
  table('record_files', 'The files of records in the archives.', {
    archive: ['INTEGER NOT NULL', 'The archive it is in.', 'archives'],
    path: ['TEXT NOT NULL', 'Path in the archive.'],
    kind: ['TEXT NOT NULL', 'The kind its name says, which is the table of most of its records.'],
    records: ['INTEGER NOT NULL', 'Number of records.'],
    size: ['INTEGER NOT NULL', 'Bytes.'],
    modified_at: ['TEXT NOT NULL', 'Time in the archive.'],
    crc32: ['INTEGER NOT NULL', 'CRC-32 of the bytes: tells whether a build gives the same again.'],
    layout: [
      'TEXT NOT NULL',
      'host, indented as the host does; compact, without white space; or other, which is built as the host does.',
    ],
    replaced: [
      'INTEGER NOT NULL',
      'Number of records that gave way to later ones of this archive or another.',
    ],
    checksums: [
      'BLOB NOT NULL',
      'CRC-32 of each record as it is built, by its place in the file: 4 bytes, the first one highest; 0 for what is no record.',
    ],
  }),
  table(
    'entries',
    'The entries of the archives as they were loaded, in their order: what a build and marc doctor compare with.',
    {
      id: ['INTEGER PRIMARY KEY', 'Number in the order of the archive.'],
      archive: ['INTEGER NOT NULL', 'The archive it is in.', 'archives'],
      path: ['TEXT NOT NULL', 'Path in the archive; that of a directory ends with /.'],
      role: [
        'TEXT NOT NULL',
        'directory, records, schema, urls, git, attachment, repository-file, release-asset, lfs or unknown.',
      ],
      size: ['INTEGER NOT NULL', 'Bytes.'],
      sha256: ['BLOB', 'SHA-256 of a file and of schema.json and urls.json.'],
      mode: ['INTEGER NOT NULL', 'Permissions.'],
      modified_at: ['TEXT NOT NULL', 'Time in the archive.'],
      header: ['INTEGER', 'What its header in the tar has in common with others.', 'tar_headers'],
      whole_header: ['BLOB', 'Its headers, compressed, where they are not like others.'],
    },
    { indexes: [{ name: 'entries_by_path', on: 'path' }] },
  ),
  table('tar_headers', 'Headers in the tars, without what differs from entry to entry.', {
    id: ['INTEGER PRIMARY KEY', 'Number.'],
    bytes: ['BLOB UNIQUE NOT NULL', 'The bytes: no name, 0 for each digit, no zeros at the end.'],
  }),
  table(
    'files',
    'The files in the archives that hold no records: attachments, assets, Git data.',
    {
      id: ['INTEGER PRIMARY KEY', 'Number.'],
      archive: ['INTEGER NOT NULL', 'The archive it is in.', 'archives'],
      path: ['TEXT NOT NULL', 'Path in the archive.'],
      role: ['TEXT NOT NULL', 'git, attachment, repository-file, release-asset, lfs or unknown.'],
      repository: [
        'TEXT',
        'owner/name of the Git repository it is of; .wiki at the end for a wiki.',
      ],
      size: ['INTEGER NOT NULL', 'Bytes.'],
      sha256: ['TEXT NOT NULL', 'SHA-256 of the content.'],
      mode: ['INTEGER NOT NULL', 'Permissions.'],
      modified_at: ['TEXT NOT NULL', 'Time in the archive.'],
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
    'The branches, tags and other refs of the Git repositories.',
    {
      archive: ['INTEGER NOT NULL', 'The archive it is from.', 'archives'],
      repository: ['TEXT NOT NULL', 'owner/name; .wiki at the end for a wiki.'],
      name: ['TEXT NOT NULL', 'Full name, such as refs/heads/main, or HEAD.'],
      oid: [
        'TEXT',
        'The object it names, 40 hexadecimal digits; NULL if it names a branch without commits.',
      ],
      peeled: ['TEXT', 'What an annotated tag is for in the end; NULL for any other ref.'],
      target: ['TEXT', 'The ref that it names, as HEAD names a branch.'],
      packed: ['INTEGER NOT NULL', '1 if it stands in packed-refs, 0 if in a file of its own.'],
    },
    { indexes: [{ name: 'refs_by_name', on: 'repository, name, packed' }] },
  ),
  table(
    'git_packs',
    'What the packs of the Git repositories, and their indexes, say of themselves.',
    {
      archive: ['INTEGER NOT NULL', 'The archive it is in.', 'archives'],
      repository: ['TEXT NOT NULL', 'owner/name; .wiki at the end for a wiki.'],
      path: ['TEXT NOT NULL', 'Path in the archive, which ends with .pack or .idx.'],
      version: ['INTEGER', 'Version of the format; NULL for what is neither pack nor index.'],
      objects: ['INTEGER', 'Number of objects.'],
    },
    { indexes: [{ name: 'git_packs_by_path', on: 'path' }] },
  ),
  table('problems', 'What was wrong in the archives but did not stop the loading.', {
    archive: ['INTEGER NOT NULL', 'The archive.', 'archives'],
    code: ['TEXT NOT NULL', 'The kind of problem.'],
    entry: ['TEXT', 'The entry it is in.'],
    record: ['INTEGER', 'The record in that entry, from 1.'],
    member: ['TEXT', 'The member of that record.'],
    message: ['TEXT NOT NULL', 'What was expected and what was found.'],
    content: [
      'TEXT',
      'JSON that has no place elsewhere, such as an earlier record with the same url.',
    ],
    times: ['INTEGER NOT NULL', 'How many records have it; the place is of the first.'],
  }),
  table('event_types', 'What the values of issue_events.event mean.', {
    event: ['TEXT PRIMARY KEY', 'The value.'],
    meaning: ['TEXT NOT NULL', 'What happened.'],
    members: [
      'TEXT NOT NULL',
      'Members that such an event has beside the common ones: a JSON array.',
    ],
    source: ['TEXT NOT NULL', 'documented by the host, seen in real archives, or from exporters.'],
  }),
]
