import { formatByteSize } from '../../base/byte-size.ts'
import { throwIfInterrupted } from '../../base/errors.ts'
import { escapeControls } from '../../base/escape-controls.ts'
import { findRecord } from '../../database/rows/read-record.ts'
import { recordMarkdown } from '../../reading/markdown/record-markdown.ts'
import { plain, quoteMarkdown } from '../../reading/markdown/thread-markdown.ts'
import { listMilestones, readMilestone } from '../../reading/milestones.ts'
import { loginAt } from '../../reading/people/logins.ts'
import { listReleaseFiles, listReleases, readRelease } from '../../reading/releases.ts'
import { authorName, dateInWords } from '../../reading/threads/in-words.ts'
import { LISTS } from '../../reading/threads/list-threads.ts'
import type { ThreadKind } from '../../reading/threads/thread-facts.ts'
import { addressFrom, linksFrom } from './folder-links.ts'
import { frontMatter } from './front-matter.ts'
import { KINDS, type ListedThread, type PlannedFolder } from './plan-files.ts'
import { writePieces } from './write-pieces.ts'
import type { Writing } from './writing.ts'

const NAMES: Readonly<Record<ThreadKind, string>> = {
  issue: 'Issues',
  pull_request: 'Pull requests',
  discussion: 'Discussions',
}

const listFile = (folder: string, kind: ThreadKind): string =>
  `${folder}/${LISTS[KINDS[kind]].part}.md`

/** Writes the file of every person, and the list of them. */
export async function writePeople(writing: Writing): Promise<void> {
  const { library, plan, output, signal, progress } = writing
  let isAny = false
  for (const { store, kind, url, login, file } of plan.people()) {
    throwIfInterrupted(signal)
    isAny = true
    const record = findRecord(library.store(store).database, url, kind)
    if (!record) continue
    const links = linksFrom({ file, url, repository: null }, writing)
    await writePieces(output, file, function* () {
      yield frontMatter({ url, login, kind: String(record.type ?? 'user') })
      yield* recordMarkdown(record, links)
      let isFirst = true
      for (const thread of plan.ofAuthor(login)) {
        if (isFirst) yield '\n## Threads\n\n'
        isFirst = false
        yield lineOf(thread, file)
      }
    })
    progress()
  }
  if (!isAny) return
  await writePieces(output, 'people.md', function* () {
    yield '# People\n\n'
    for (const { login, file } of plan.people()) {
      yield `- [${plain(login)}](${addressFrom('people.md', file)})\n`
    }
  })
}

/** Writes what a repository has beside its threads, and the lists of these. */
export async function writeRepositories(writing: Writing): Promise<void> {
  const { plan, output, signal, progress } = writing
  for (const folder of plan.folders) {
    throwIfInterrupted(signal)
    const written: (readonly [name: string, file: string, words: string])[] = []
    for (const kind of Object.keys(KINDS) as ThreadKind[]) {
      const { all, open } = plan.count(folder.folder, kind)
      if (all === 0) continue
      const file = listFile(folder.folder, kind)
      await writePieces(output, file, function* () {
        yield `# ${NAMES[kind]} of ${plain(folder.name)}\n\n`
        for (const thread of plan.list(folder.folder, kind)) yield lineOf(thread, file)
      })
      const words = kind === 'discussion' ? `${all}` : `${all}, ${open} open`
      written.push([NAMES[kind], file, words])
    }
    written.push(...(await writeMilestones(folder, writing)))
    written.push(...(await writeReleases(folder, writing)))
    await writeFront(folder, written, writing)
    progress()
  }
  await writePieces(output, 'README.md', function* () {
    yield '# Repositories\n\n'
    for (const { folder, name } of plan.folders) {
      yield `- [${plain(name)}](${addressFrom('README.md', `${folder}/README.md`)})\n`
    }
    if (!plan.people().next().done) yield '\n[People](people.md)\n'
  })
}

async function writeFront(
  { folder, name, repository }: PlannedFolder,
  written: readonly (readonly [string, string, string])[],
  writing: Writing,
): Promise<void> {
  const file = `${folder}/README.md`
  const record = repository && findRecord(repository.store.database, repository.url, 'repositories')
  await writePieces(writing.output, file, function* () {
    if (record) {
      const place = { file, url: repository.url, repository: repository.fullName }
      yield* recordMarkdown(record, linksFrom(place, writing))
    } else yield `# ${plain(name)}\n`
    if (written.length > 0) yield '\n## Contents\n\n'
    for (const [title, to, words] of written) {
      yield `- [${title}](${addressFrom(file, to)}): ${words}\n`
    }
  })
}

type Written = readonly (readonly [name: string, file: string, words: string])[]

async function writeMilestones(
  { folder, repository }: PlannedFolder,
  writing: Writing,
): Promise<Written> {
  if (!repository) return []
  const { store, fullName } = repository
  const { plan, chosen, output } = writing
  const urls = listMilestones(repository, {
    state: 'all',
    sort: 'number',
    direction: 'asc',
  }).filter((url) => chosen.has(store, 'milestones', url))
  if (urls.length === 0) return []
  const file = `${folder}/milestones.md`
  await writePieces(output, file, function* () {
    yield `# Milestones of ${plain(fullName)}\n`
    for (const url of urls) {
      const milestone = readMilestone(repository, url)
      if (!milestone) continue
      const { title, state, dueAt, openThreads, closedThreads, description } = milestone
      const due = dueAt === null ? '' : `, due on ${plain(dateInWords(dueAt))}`
      yield `\n## ${plain(title ?? url)}\n\n`
      yield `${state}${due}; threads: ${openThreads} open, ${closedThreads} closed\n`
      yield* quoteMarkdown(description, linksFrom({ file, url, repository: fullName }, writing))
      let isFirst = true
      for (const thread of plan.ofMilestone(url)) {
        if (isFirst) yield '\n'
        isFirst = false
        yield lineOf(thread, file)
      }
    }
  })
  return [['Milestones', file, `${urls.length}`]]
}

async function writeReleases(
  { folder, repository }: PlannedFolder,
  writing: Writing,
): Promise<Written> {
  if (!repository) return []
  const { store, fullName } = repository
  const { chosen, output } = writing
  const urls = listReleases(repository)
    .map(({ url }) => url)
    .filter((url) => chosen.has(store, 'releases', url))
  if (urls.length === 0) return []
  const file = `${folder}/releases.md`
  await writePieces(output, file, function* () {
    yield `# Releases of ${plain(fullName)}\n`
    for (const url of urls) {
      const release = readRelease(repository, url)
      if (!release) continue
      const { tag, name, body, user, isDraft, isPrerelease, createdAt, publishedAt } = release
      const links = linksFrom({ file, url, repository: fullName }, writing)
      const kind = isDraft ? 'draft' : isPrerelease ? 'prerelease' : 'release'
      const author = user === null ? null : loginAt(store, user)
      yield `\n## ${plain(name || tag)} (${plain(tag)})\n\n`
      yield `${kind} by **${plain(authorName(author))}**, ${plain(dateInWords(publishedAt ?? createdAt))}\n`
      yield* quoteMarkdown(body, links)
      const files = listReleaseFiles(repository, url)
      if (files.length > 0) yield '\n'
      for (const each of files) {
        const to = links.upload(each.url)
        const words = plain(each.name)
        const size = each.content
          ? ` (${formatByteSize(each.content.size)})`
          : ' (missing from the archive)'
        yield `- ${to === undefined ? words : `[${words}](${to})`}${size}\n`
      }
    }
  })
  return [['Releases', file, `${urls.length}`]]
}

/** A thread as an item of a list in a file. */
function lineOf(
  { file, number, title, state, author, created }: ListedThread,
  from: string,
): string {
  const name = `${number === null ? '' : `#${number}`} ${plain(title ?? '')}`.trim() || 'a thread'
  const words = [state, authorName(author), dateInWords(created)].filter((word) => word !== null)
  return `- [${name}](${addressFrom(from, file)}): ${plain(escapeControls(words.join(', ')))}\n`
}
