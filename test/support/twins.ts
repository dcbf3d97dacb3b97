/**
 * For each check a twin of the small sample that has the one fault: what is done to the archive before it is
 * loaded, or to its database afterwards.
 */

import { gzipSync } from 'node:zlib'
import { commitOf, looseOf, oidOf, treeOf } from './build-pack.ts'
import { type Files, member, type TarStyle, tarOf } from './build-tar.ts'
import { packOfOne } from './git-pack.ts'

export type Twin = { sql: string } | { archive: (good: Files) => Buffer } | { folder: true }

const STYLE: TarStyle = { prefix: './', directories: true }

// Stored, as to compress them would take most of the time.
const packed = (files: Files, style: TarStyle = {}) =>
  gzipSync(tarOf(files, { ...STYLE, ...style }), { level: 0 })

/** The sample with other files instead of some, or more. */
const withFiles = (more: Files): Twin => ({ archive: (good) => packed({ ...good, ...more }) })

const withStyle = (style: TarStyle): Twin => ({ archive: (good) => packed(good, style) })

/** The sample with these bytes of tar before its own. */
const behind = (bytes: Buffer): Twin => ({
  archive: (good) => gzipSync(Buffer.concat([bytes, tarOf(good, STYLE)])),
})

const sql = (text: string): Twin => ({ sql: text })

/** Changes the first row of a table. */
const update = (table: string, change: string): Twin =>
  sql(`UPDATE ${table} SET ${change} WHERE rowid = (SELECT min(rowid) FROM ${table})`)

const GIT = 'repositories/mona-lindqvist/tea-timer.git'
const sha = 'c0ffee'.padEnd(40, '0')
const large = packOfOne(sha, { size: 400 * 2 ** 20 + 1, data: Buffer.alloc(500_000) })

const considerable = packOfOne(sha, { size: 100 * 2 ** 20 + 1, data: Buffer.alloc(200_000) })

/** A commit of six files that claim to have 399 MiB each, each in a pack of its own. */
function largeCommit(): Files {
  const blobs = Array.from({ length: 6 }, (_, i) => `${i}`.padEnd(40, 'f'))
  const tree = treeOf(...blobs.map((oid) => ['100644', oid, oid] as const))
  const commit = commitOf(oidOf('tree', tree))
  const packs = blobs.map((oid) => {
    const { pack, index } = packOfOne(oid, { size: 399 * 2 ** 20, data: Buffer.alloc(100) })
    return { [`objects/pack/pack-${oid}.pack`]: pack, [`objects/pack/pack-${oid}.idx`]: index }
  })
  const files: Files = {
    'refs/heads/large': `${oidOf('commit', commit)}\n`,
    ...looseOf('tree', tree),
    ...looseOf('commit', commit),
    ...Object.assign({}, ...packs),
  }
  return inGit(files)
}

/** A loose commit with a branch, and other files. */
const branchOf = (commit: string, more: Files = {}): Files =>
  inGit({
    'refs/heads/it': `${oidOf('commit', commit)}\n`,
    ...looseOf('commit', commit),
    ...more,
  })

const inGit = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, it]) => [`${GIT}/${path}`, it]))

export const TWINS: Readonly<Record<string, Twin>> = {
  'container-not-gzip': { archive: (good) => tarOf(good, STYLE) },
  'container-folder': { folder: true },
  'gzip-members': {
    archive: (good) => {
      const tar = tarOf(good, STYLE)
      return Buffer.concat([gzipSync(tar.subarray(0, 1000)), gzipSync(tar.subarray(1000))])
    },
  },
  'gzip-trailing': { archive: (good) => Buffer.concat([packed(good), Buffer.from('the end')]) },
  'tar-pax': withStyle({ dialect: 'pax' }),
  'tar-v7': {
    archive: (good) => {
      const short = Object.entries(good).filter(([path]) => path.length < 80)
      return packed(Object.fromEntries(short), { dialect: 'v7' })
    },
  },
  'directories-missing': withStyle({ directories: false }),
  'top-folder': withStyle({ topFolder: 'export/', prefix: '' }),
  'archive-salvaged': sql("UPDATE archives SET state = 'salvaged'"),
  'archive-over-2gib': sql('UPDATE archives SET size = 2147483649'),
  'archive-over-10gib': sql('UPDATE archives SET size = 10737418241'),
  'archive-over-40gib': sql('UPDATE archives SET size = 42949672961'),
  'file-over-400mib': sql("UPDATE files SET size = 419430401 WHERE role = 'attachment'"),
  'pack-over-2gib': sql("UPDATE files SET size = 2147483649 WHERE path GLOB '*.pack'"),
  'entry-type': behind(member({ name: './a', type: '2', linkname: 'b' })),
  'entry-repeated': behind(member({ name: `./${GIT}/HEAD` }, 'ref: refs/heads/main\n')),
  'entry-unknown': withFiles({ 'read me.txt': 'of no known use' }),
  'name-truncated': {
    archive: (good) => {
      const name = `repository_files/1/${'x'.repeat(58)}...`
      return packed({ ...good, [name]: 'x' }, { dialect: 'ustar' })
    },
  },
  'git-lfs': withFiles({ 'git-lfs/ab/cd/abcd': 'x' }),
  'record-file-name': withFiles({ 'teams_000001(2).json': [] }),
  'record-file-gap': withFiles({ 'issues_000003.json': [] }),
  'record-file-size': sql('UPDATE record_files SET records = 101'),
  'record-file-empty': withFiles({ 'teams_000001.json': [] }),
  'kind-unseen': withFiles({ 'discussion_comments_000001.json': [] }),
  'text-bom': withFiles({ 'teams_000001.json': '\ufeff[]' }),
  'text-not-utf8': withFiles({
    'teams_000001.json': Buffer.from('[{"type":"team","url":"\xff"}]', 'latin1'),
  }),
  'schema-missing': {
    archive: ({ 'schema.json': _, ...good }) => packed(good),
  },
  'schema-invalid': withFiles({ 'schema.json': [] }),
  'schema-version': withFiles({ 'schema.json': { version: '1.9.0' } }),
  'schema-urls': withFiles({ 'schema.json': { version: '1.2.0' } }),
  'repositories-missing': sql('DELETE FROM repositories'),
  'users-missing': sql('DELETE FROM users'),
  'organizations-missing': sql('DELETE FROM organizations'),
  'list-expected': update('issues', 'labels = NULL'),
  'member-type': update('issues', `title = NULL, _extra = '{"title":1}'`),
  'json-damaged': update('issues', "labels = 'bug'"),
  'member-unknown': update('issues', `_extra = '{"mood":1}'`),
  'kind-unknown': withFiles({ 'widgets_000001.json': [{ type: 'widget', url: 'x:1' }] }),
  'record-type': update('issues', `_extra = '{"type":"epic"}'`),
  'record-not-object': withFiles({ 'teams_000001.json': [1] }),
  'record-without-url': update('issues', 'url = NULL'),
  'member-missing': update('issues', `title = NULL, _member_order = '["type","url"]'`),
  'member-null': update('issues', 'title = NULL'),
  'emails-null': update('users', 'emails = NULL'),
  'url-shape': update('releases', "url = 'https://github.com/ /v1'"),
  'label-url': update('repositories', `labels = '[{"url":"https://github.com/bug"}]'`),
  'owner-nested': update('repositories', "url = 'https://github.com/a/b/c'"),
  'date-form': update('issues', "created_at = '2024-01-02T03:04:05+02:00'"),
  'host-other': update('issues', "url = replace(url, 'github.com', 'forge.example')"),
  'date-range': update('issues', "created_at = '0000-01-01T00:00:00Z'"),
  'list-element': update('issues', `assignees = '[null]'`),
  'name-url': update('users', "login = 'nobody'"),
  'value-empty': update('issues', "title = ''"),
  'value-unknown': update('milestones', "state = 'ajar'"),
  'event-unknown': update('issue_events', "event = 'exploded'"),
  'commit-id': update('pull_request_reviews', "head_sha = 'c0ffee'"),
  'label-color': update('repositories', `labels = json_set(labels, '$[0].color', '#d73a4a')`),
  'description-controls': update('repositories', "description = 'one' || char(10) || 'two'"),
  'ref-like-commit': update('pull_requests', `head = json_set(head, '$.ref', '${sha}')`),
  'ref-name': withFiles({ [`${GIT}/refs/heads/a~b`]: `${sha}\n` }),
  'ref-length': update('repositories', `default_branch = '${'x'.repeat(250)}'`),
  'record-duplicate': sql(
    `INSERT INTO bots (url, avatar_url, login, emails, created_at)
     SELECT url, avatar_url, login, emails, created_at FROM users LIMIT 1`,
  ),
  'reference-record': update('issues', "milestone = 'https://github.com/a/b/milestones/1'"),
  'reference-person': update('issues', "user = 'https://github.com/nobody'"),
  'reference-label': update('issues', `labels = '["https://github.com/a/b/labels/gone"]'`),
  'reference-outside': update('issue_events', "subject = 'https://github.com/nobody'"),
  'wiki-url-empty': update('repositories', "wiki_url = ''"),
  'git-missing': update('repositories', "git_url = 'tarball://root/repositories/a/b.git'"),
  'git-none': sql("DELETE FROM files WHERE role = 'git'"),
  'git-empty': sql("DELETE FROM files WHERE path GLOB '*.pack'"),
  'git-orphan': withFiles({ 'repositories/a/b.git/HEAD': 'ref: refs/heads/main\n' }),
  'number-shared': sql(
    `UPDATE issues SET url = (SELECT replace(url, '/pull/', '/issues/') FROM pull_requests LIMIT 1)
     WHERE rowid = 1`,
  ),
  'merged-not-closed': sql('UPDATE pull_requests SET closed_at = NULL'),
  'protected-branch': sql(
    "UPDATE protected_branches SET url = url || '-too', name = name || '-too'",
  ),
  'thread-missing': update('pull_request_review_comments', 'pull_request_review_thread = NULL'),
  'comment-same-time': sql(
    `UPDATE issue_comments SET (issue, pull_request, user, created_at) = (
       SELECT issue, pull_request, user, created_at FROM issue_comments
       WHERE user IS NOT NULL LIMIT 1) WHERE rowid > 10`,
  ),
  'git-unsupported': withFiles({ [`${GIT}/reftable/tables.list`]: '0x1.ref\n' }),
  'git-ref-conflict': withFiles({ [`${GIT}/refs/heads/main/old`]: `${sha}\n` }),
  'git-config-damaged': withFiles({ [`${GIT}/config`]: '[core' }),
  'git-partial-clone': withFiles({
    [`${GIT}/config`]: '[remote "origin"]\n\tpromisor = true\n',
  }),
  'git-alternates': withFiles({ [`${GIT}/objects/info/alternates`]: '/elsewhere/objects\n' }),
  'git-pack-missing': sql("DELETE FROM files WHERE path GLOB '*.pack'"),
  'git-pack-damaged': {
    archive: (good) =>
      packed({
        ...good,
        ...Object.fromEntries(
          Object.entries(good)
            .filter(([path]) => path.endsWith('.pack'))
            .map(([path, content]) => [path, Buffer.from(content as Buffer).fill(0, 20, 28)]),
        ),
      }),
  },
  'git-index-damaged': sql("DELETE FROM files WHERE path GLOB '*.idx'"),
  'git-object-damaged': withFiles({ [`${GIT}/objects/c0/${'f'.repeat(38)}`]: 'no object' }),
  'git-object-missing': withFiles(branchOf(commitOf(sha))),
  'git-object-malformed': withFiles(
    branchOf(commitOf(oidOf('tree', '')).replace(/author .*\n/, ''), looseOf('tree', '')),
  ),
  'git-object-type': withFiles(branchOf(commitOf(oidOf('blob', 'x')), looseOf('blob', 'x'))),
  'git-ref-dangling': withFiles({ [`${GIT}/refs/heads/dangling`]: `${sha}\n` }),
  'git-ref-invalid': withFiles({ [`${GIT}/refs/heads/a~b`]: `${sha}\n` }),
  'git-refs-damaged': withFiles({ [`${GIT}/refs/heads/rubbish`]: 'rubbish' }),
  'git-head-missing': withFiles({ [`${GIT}/HEAD`]: 'rubbish' }),
  'git-head-unborn': withFiles({ [`${GIT}/HEAD`]: 'ref: refs/heads/trunk\n' }),
  'git-shallow': withFiles(
    branchOf(commitOf(sha), { shallow: `${oidOf('commit', commitOf(sha))}\n` }),
  ),
  'repository-over-40gib': sql("UPDATE files SET size = 42949672961 WHERE path GLOB '*.pack'"),
  'blob-over-400mib': withFiles({
    [`${GIT}/objects/pack/pack-${sha}.pack`]: large.pack,
    [`${GIT}/objects/pack/pack-${sha}.idx`]: large.index,
  }),
  'blob-over-100mib': withFiles({
    [`${GIT}/objects/pack/pack-${sha}.pack`]: considerable.pack,
    [`${GIT}/objects/pack/pack-${sha}.idx`]: considerable.index,
  }),
  'commit-over-2gib': withFiles(largeCommit()),
  'default-branch-missing': update('repositories', "default_branch = 'trunk'"),
  'default-branch-head': withFiles({ [`${GIT}/HEAD`]: 'ref: refs/heads/trunk\n' }),
  'release-tag': update('releases', "tag_name = 'v99'"),
  'protected-branch-unmatched': update('protected_branches', "name = 'trunk/*'"),
  'pull-commit': update('pull_requests', `head = json_set(head, '$.sha', '${sha}')`),
  'review-commit': update('pull_request_reviews', `head_sha = '${sha}'`),
  'event-commit': update('issue_events', `commit_id = '${sha}'`),
  'thread-commit': update('pull_request_review_threads', `commit_id = '${sha}'`),
  'comment-commit': update('commit_comments', `commit_id = '${sha}'`),
  'parent-ambiguous': update('attachments', 'pull_request = issue'),
  'member-absent': update('milestones', `title = NULL, _member_order = '["type","url"]'`),
  'url-unusual': update('attachments', "url = '/uploads/x'"),
  'tarball-folder': update('attachments', "asset_url = 'tarball://root/pictures/1'"),
  'wiki-head': sql(
    "INSERT INTO refs SELECT archive, repository || '.wiki', name, oid, peeled, target, packed FROM refs WHERE name = 'HEAD'",
  ),
  'attachment-not-shown': sql("UPDATE issues SET body = ''"),
  'media-type': update('attachments', "asset_content_type = 'image/tiff'"),
  'tarball-form': update('attachments', "asset_url = 'https://github.com/x.png'"),
  'tarball-escape': update('attachments', "asset_url = 'tarball://root/attachments/../../x'"),
  'file-missing': update('attachments', "asset_url = 'tarball://root/attachments/1/x'"),
  'file-shared': sql(
    `INSERT INTO attachments (url, issue, asset_url)
     SELECT url || '-2', issue, asset_url FROM attachments`,
  ),
  'file-orphan': withFiles({ 'attachments/1/x.png': 'x' }),
  'file-empty': withFiles({ 'attachments/1/x.png': '' }),
  'file-size': update('attachments', `_extra = '{"size":7}'`),
  'file-truncated': {
    archive: (good) =>
      packed({
        ...good,
        ...Object.fromEntries(
          Object.entries(good)
            .filter(([path]) => path.endsWith('.png'))
            .map(([path, content]) => [path, (content as Buffer).subarray(0, -8)]),
        ),
      }),
  },
  'file-type': update('attachments', "asset_content_type = 'image/gif'"),
  'upload-link': update(
    'issues',
    "body = 'See ![](https://github.com/user-attachments/assets/elsewhere).'",
  ),
}
