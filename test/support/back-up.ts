import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { printed } from '../../samples/make/github-backup.ts'

type Json = Record<string, unknown>

/** Asks for all pages of a list. */
async function listOf(server: string, path: string): Promise<Json[]> {
  const found: Json[] = []
  let next: string | undefined = `${server}${path}${path.includes('?') ? '&' : '?'}per_page=100`
  while (next !== undefined) {
    const answer: Response = await fetch(next)
    if (!answer.ok) throw new Error(`${answer.status} of ${next}`)
    found.push(...((await answer.json()) as Json[]))
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return found
}

/** The same; nothing for a list that the caller may not see, which the program leaves out with a warning. */
const listOrNone = (server: string, path: string): Promise<Json[]> =>
  listOf(server, path).catch(() => [])

/** A link to an upload, as the program finds them in texts. */
const UPLOAD = /https?:\/\/[^\s()<>"'`]+\/user-attachments\/(?:assets|files)\/[^\s()<>"'`]+/g

/**
 * Writes what `python-github-backup --all --pull-details --attachments --assets` writes of one repository, by asking a server for
 * the same addresses.
 */
export async function backUp(server: string, fullName: string, folder: string): Promise<void> {
  const [, name = ''] = fullName.split('/')
  const top = join(folder, 'repositories', name)
  const repository = `/repos/${fullName}`
  const write = (path: string, content: string | Uint8Array) => {
    const file = join(top, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const ask = (path: string) => listOf(server, repository + path)
  const saveUploads = async (kind: string, number: unknown, thread: Json) => {
    const links = new Set(JSON.stringify(thread).match(UPLOAD) ?? [])
    const attachments: Json[] = []
    for (const url of links) {
      const answer = await fetch(url.replace(/^https?:\/\/[^/]+/, server)).catch(() => undefined)
      const original_filename = url.slice(url.lastIndexOf('/') + 1)
      const content_type = answer?.headers.get('content-type') ?? null
      const disposition = /filename="([^"]+)"/.exec(
        answer?.headers.get('content-disposition') ?? '',
      )
      const saved_as = original_filename.slice(0, 60)
      const success = answer?.ok === true
      if (success) {
        write(
          `${kind}/attachments/${number}/${saved_as}`,
          new Uint8Array(await answer.arrayBuffer()),
        )
      }
      attachments.push({
        url,
        success,
        http_status: answer?.status ?? null,
        content_type,
        original_filename: disposition?.[1] ?? original_filename,
        saved_as: success ? saved_as : null,
        error: success ? null : `HTTP ${answer?.status}`,
      })
    }
    if (attachments.length > 0) {
      write(
        `${kind}/attachments/${number}/manifest.json`,
        printed({ item_number: number, attachments }),
      )
    }
  }
  for (const issue of await ask('/issues?state=all')) {
    // Pull requests are saved below, with their branches.
    if (issue.pull_request !== undefined) continue
    const thread = {
      ...issue,
      comment_data: await ask(`/issues/${issue.number}/comments`),
      event_data: await ask(`/issues/${issue.number}/events`),
    }
    write(`issues/${issue.number}.json`, printed(thread))
    await saveUploads('issues', issue.number, thread)
  }
  for (const { number } of await ask('/pulls?state=all')) {
    const pull = (await (await fetch(`${server}${repository}/pulls/${number}`)).json()) as Json
    const thread = {
      ...pull,
      comment_regular_data: await ask(`/issues/${number}/comments`),
      comment_data: await ask(`/pulls/${number}/comments`),
      commit_data: await ask(`/pulls/${number}/commits`),
      review_data: await ask(`/pulls/${number}/reviews`),
    }
    write(`pulls/${number}.json`, printed(thread))
    await saveUploads('pulls', number, thread)
  }
  for (const milestone of await ask('/milestones?state=all')) {
    write(`milestones/${milestone.number}.json`, printed(milestone))
  }
  write('labels/labels.json', printed(await ask('/labels')))
  write('hooks/hooks.json', printed(await listOrNone(server, `${repository}/hooks`)))
  for (const release of await ask('/releases')) {
    const tag = String(release.tag_name).replaceAll('/', '__')
    write(`releases/${tag}.json`, printed(release))
    for (const asset of (release.assets ?? []) as Json[]) {
      const answer = await fetch(String(asset.url), {
        headers: { accept: 'application/octet-stream' },
      })
      if (answer.ok)
        write(`releases/${tag}/${asset.name}`, new Uint8Array(await answer.arrayBuffer()))
    }
  }
  await clone(`${server}/${fullName}.git`, join(top, 'repository'))
  // A repository need not have a wiki.
  await clone(`${server}/${fullName}.wiki.git`, join(top, 'wiki')).catch(() => undefined)
}

/** Clones with everything, as with `--bare`. The server may be in this process, so it must not wait. */
const clone = (from: string, to: string) =>
  promisify(execFile)('git', ['clone', '--quiet', '--mirror', from, to])
