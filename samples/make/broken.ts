import type { JsonObject, JsonValue } from '../../src/records/json/json.ts'
import type { KindName } from '../../src/records/kinds/kinds.ts'
import type { Content } from './content.ts'
import { makeHello } from './hello.ts'

const HOST = 'https://github.com'
const url = `${HOST}/mona-lindqvist/tea-timer`
const git = 'repositories/mona-lindqvist/tea-timer.git'
const unknownCommit = 'c0ffee'.padEnd(40, '0')

/** Adds a record like the first of its kind, with some members of its own; undefined leaves one out. */
function add(content: Content, kind: KindName, own: Record<string, JsonValue | undefined>): void {
  const records = content.records[kind] as JsonObject[]
  const record = Object.entries({ ...records[0], ...own }).filter(
    ([, value]) => value !== undefined,
  )
  records.push(Object.fromEntries(record) as JsonObject)
}

/** The number of an issue that does not exist yet. */
let next = 100
const newIssue = () => `${url}/issues/${++next}`

const addIssue = (content: Content, own: Record<string, JsonValue | undefined>) =>
  add(content, 'issues', { url: newIssue(), labels: [], reactions: [], ...own })

const addAttachment = (content: Content, id: string, own: Record<string, JsonValue | undefined>) =>
  add(content, 'attachments', {
    url: `${HOST}/user-attachments/assets/${id}`,
    asset_url: `tarball://root/attachments/${id}/x.png`,
    ...own,
  })

const addFile = (content: Content, path: string, text: string | Uint8Array = 'x') =>
  void content.files.set(path, Buffer.from(text as string))

/** The faults of `broken.tar.gz`: one for each check, by its code. */
export const FAULTS: Readonly<Record<string, (content: Content) => void>> = {
  'entry-unknown': (content) => addFile(content, 'read me.txt', 'Nobody knows what I am for.'),
  'git-lfs': (content) => addFile(content, 'git-lfs/ab/cd/abcd'),
  'record-file-name': (content) => addFile(content, 'teams_000001(2).json', '[]'),
  'record-file-gap': (content) => addFile(content, 'teams_000003.json', '[]'),
  'record-file-empty': (content) => addFile(content, 'teams_000001.json', '[]'),
  'kind-unseen': (content) => addFile(content, 'discussion_comments_000001.json', '[]'),
  'record-file-size': (content) =>
    addFile(
      content,
      'projects_000001.json',
      JSON.stringify(
        Array.from({ length: 101 }, (_, i) => ({
          type: 'project',
          url: `${url}/projects/${i + 1}`,
        })),
      ),
    ),
  'text-bom': (content) => addFile(content, 'teams_000004.json', '\ufeff[]'),
  'text-not-utf8': (content) =>
    addFile(
      content,
      'widgets_000002.json',
      Buffer.from('[{"type":"widget","url":"caf\xe9"}]', 'latin1'),
    ),
  'record-not-object': (content) => addFile(content, 'teams_000005.json', '[1]'),
  'kind-unknown': (content) =>
    addFile(content, 'widgets_000001.json', '[{"type":"widget","url":"https://github.com/w"}]'),
  'record-duplicate': (content) => add(content, 'releases', { name: 'The same again' }),
  'record-without-url': (content) => addIssue(content, { url: undefined }),
  'record-type': (content) => addIssue(content, { type: 'epic' }),
  'list-expected': (content) => addIssue(content, { labels: 'bug' }),
  'member-type': (content) => addIssue(content, { title: 7 }),
  'member-unknown': (content) => addIssue(content, { mood: 'good' }),
  'member-missing': (content) => addIssue(content, { body: undefined }),
  'member-null': (content) => addIssue(content, { title: null }),
  'emails-null': (content) =>
    add(content, 'users', { url: `${HOST}/no-mail`, login: 'no-mail', emails: null }),
  'url-shape': (content) => addIssue(content, { url: `${url}/issues/one hundred` }),
  'label-url': (content) => addLabel(content, { url: `${HOST}/bug` }),
  'date-form': (content) => addIssue(content, { created_at: '2024-01-31T12:00:00+02:00' }),
  'commit-id': (content) =>
    add(content, 'commit_comments', {
      url: `${url}/commit/${unknownCommit}#commitcomment-1`,
      commit_id: 'c0ffee',
    }),
  'comment-commit': (content) =>
    add(content, 'commit_comments', {
      url: `${url}/commit/${unknownCommit}#commitcomment-2`,
      commit_id: unknownCommit,
    }),
  'label-color': (content) => addLabel(content, { url: `${url}/labels/red`, color: '#ff0000' }),
  'description-controls': (content) =>
    addLabel(content, { url: `${url}/labels/two`, description: 'two\nlines' }),
  'ref-like-commit': (content) => addFile(content, `${git}/refs/heads/${unknownCommit}`),
  'ref-name': (content) => addFile(content, `${git}/refs/heads/a~b`),
  'ref-length': (content) =>
    add(content, 'releases', {
      url: `${url}/releases/tag/long`,
      tag_name: 'x'.repeat(250),
    }),
  'reference-record': (content) => addIssue(content, { milestone: `${url}/milestones/99` }),
  'reference-person': (content) => addIssue(content, { user: `${HOST}/nobody` }),
  'reference-label': (content) => addIssue(content, { labels: [`${url}/labels/gone`] }),
  'wiki-url-empty': (content) => addRepository(content, 'no-wiki', { wiki_url: '' }),
  'git-missing': (content) => addRepository(content, 'no-git', {}),
  'git-empty': (content) => {
    addRepository(content, 'empty', {})
    addFile(content, 'repositories/mona-lindqvist/empty.git/HEAD', 'ref: refs/heads/main\n')
    add(content, 'pull_requests', {
      url: `${HOST}/mona-lindqvist/empty/pull/1`,
      repository: `${HOST}/mona-lindqvist/empty`,
    })
  },
  'git-orphan': (content) =>
    addFile(content, 'repositories/mona-lindqvist/forgotten.git/HEAD', 'ref: refs/heads/main\n'),
  'owner-nested': (content) =>
    addRepository(content, 'nested', { url: `${HOST}/mona-lindqvist/group/nested` }),
  'number-shared': (content) => {
    const taken = String(content.records.pull_requests[0]?.url)
    addIssue(content, { url: taken.replace('/pull/', '/issues/') })
  },
  'merged-not-closed': (content) =>
    add(content, 'pull_requests', {
      url: `${url}/pull/200`,
      merged_at: '2024-02-01T00:00:00Z',
      closed_at: null,
    }),
  'git-unsupported': (content) =>
    addFile(content, 'repositories/mona-lindqvist/forgotten.git/reftable/tables.list', '0x1.ref'),
  'git-alternates': (content) =>
    addFile(content, `${git}/objects/info/alternates`, '/data/other.git/objects'),
  'git-refs-damaged': (content) => addFile(content, `${git}/refs/heads/rubbish`, 'rubbish'),
  'git-ref-invalid': (content) =>
    addFile(content, `${git}/refs/heads/two..dots`, `${unknownCommit}\n`),
  'git-object-damaged': (content) =>
    addFile(content, `${git}/objects/c0/${'f'.repeat(38)}`, 'no object'),
  'git-pack-damaged': (content) =>
    addFile(content, 'repositories/mona-lindqvist/other.git/objects/pack/pack-a1.pack', 'no pack'),
  'git-index-damaged': (content) =>
    addFile(content, 'repositories/mona-lindqvist/other.git/objects/pack/pack-a1.idx', 'no index'),
  'git-pack-missing': (content) =>
    addFile(content, 'repositories/mona-lindqvist/trunk.git/objects/pack/pack-b2.idx', 'no index'),
  'git-head-missing': (content) =>
    addFile(content, 'repositories/mona-lindqvist/headless.git/packed-refs', ''),
  'git-head-unborn': (content) =>
    addFile(content, 'repositories/mona-lindqvist/unborn.git/HEAD', 'ref: refs/heads/main\n'),
  'git-ref-dangling': (content) =>
    addFile(content, `${git}/refs/heads/loop`, 'ref: refs/heads/loop\n'),
  'default-branch-missing': (content) => addHeadless(content, 'trunk'),
  'default-branch-head': (content) => addHeadless(content, 'other'),
  'release-tag': (content) =>
    add(content, 'releases', { url: `${url}/releases/tag/v99`, tag_name: 'v99' }),
  'protected-branch-unmatched': (content) =>
    add(content, 'protected_branches', { url: `${url}/settings/branches/old`, name: 'old/*' }),
  'pull-commit': (content) =>
    add(content, 'pull_requests', {
      url: `${url}/pull/201`,
      merged_at: '2024-02-01T00:00:00Z',
      closed_at: '2024-02-01T00:00:00Z',
      merge_commit_sha: unknownCommit,
    }),
  'review-commit': (content) =>
    add(content, 'pull_request_reviews', {
      url: `${url}/pull/2/files#pullrequestreview-1`,
      head_sha: unknownCommit,
    }),
  'event-commit': (content) =>
    add(content, 'issue_events', {
      url: `${url}/pull/2#event-1`,
      event: 'referenced',
      commit_id: unknownCommit,
    }),
  'thread-missing': (content) =>
    add(content, 'pull_request_review_comments', {
      url: `${url}/pull/2/files#r1`,
      pull_request_review_thread: null,
    }),
  'thread-commit': (content) =>
    add(content, 'pull_request_review_threads', {
      url: `${url}/pull/2/files#pullrequestreviewthread-1`,
      commit_id: unknownCommit,
    }),
  'comment-same-time': (content) => {
    const [{ url: first = '' } = {}] = content.records.issue_comments
    add(content, 'issue_comments', { url: String(first).replace(/\d+$/, '1') })
  },
  'parent-ambiguous': (content) => {
    addFile(content, 'attachments/two/x.png')
    addAttachment(content, 'two', { pull_request: `${url}/pull/2` })
  },
  'attachment-not-shown': (content) => {
    addFile(content, 'attachments/hidden/x.png')
    addAttachment(content, 'hidden', {})
  },
  'media-type': (content) => {
    addFile(content, 'attachments/tiff/x.png')
    addAttachment(content, 'tiff', { asset_content_type: 'image/tiff' })
  },
  'tarball-form': (content) => addAttachment(content, 'far', { asset_url: `${HOST}/x.png` }),
  'tarball-escape': (content) =>
    addAttachment(content, 'escape', { asset_url: 'tarball://root/attachments/../../x.png' }),
  'file-missing': (content) => addAttachment(content, 'missing', {}),
  'file-shared': (content) => addAttachment(content, 'shared', { asset_url: sharedUrl(content) }),
  'file-orphan': (content) => addFile(content, 'attachments/orphan/x.png'),
  'file-empty': (content) => addFile(content, 'attachments/empty/x.png', ''),
  'file-size': (content) => {
    addFile(content, 'attachments/cut/x.png')
    addAttachment(content, 'cut', { size: 7000 })
  },
  'file-type': (content) => {
    addFile(content, 'attachments/page/x.png', '<!DOCTYPE html><title>Not a picture</title>')
    addAttachment(content, 'page', {})
  },
  'upload-link': (content) =>
    addIssue(content, { body: `![](${HOST}/user-attachments/assets/elsewhere)` }),
  'schema-urls': (content) => addFile(content, 'schema.json', '{"version":"1.2.0"}'),
}

const sharedUrl = ({ records }: Content) => String(records.attachments[0]?.asset_url)

function addLabel({ records }: Content, own: Record<string, JsonValue>): void {
  const [repository] = records.repositories
  const label = { ...repository?.labels[0], ...own }
  repository?.labels.push(label as (typeof repository.labels)[number])
}

/** A repository whose default branch does not exist. */
function addHeadless(content: Content, name: string): void {
  addRepository(content, name, { default_branch: name })
  const directory = `repositories/mona-lindqvist/${name}.git`
  addFile(content, `${directory}/HEAD`, 'ref: refs/heads/main\n')
  addFile(content, `${directory}/packed-refs`, `${unknownCommit} refs/heads/main\n`)
}

const addRepository = (content: Content, name: string, own: Record<string, JsonValue>) =>
  add(content, 'repositories', {
    url: `${HOST}/mona-lindqvist/${name}`,
    name,
    git_url: `tarball://root/repositories/mona-lindqvist/${name}.git`,
    labels: [],
    repository_topics: [],
    ...own,
  })

/** The small sample with one fault of each kind. */
export function makeBroken(): Content {
  const content = makeHello()
  next = 100
  for (const fault of Object.values(FAULTS)) fault(content)
  return content
}
