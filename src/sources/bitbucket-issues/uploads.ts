import type { JsonObject } from '../../records/json/json.ts'
import { asUuid, madeId, madeUuid } from '../made-id.ts'
import { type Upload, uploadOf, uploadRecord } from '../upload.ts'
import type { Tracker } from './tracker.ts'

/** A file that was attached to an issue. */
export interface Attachment {
  issue: number
  name: string
  user: string | null
  at: string
  /** The first bytes of it, if it is there. */
  head: Buffer | undefined
  /** Its path as the export has it. */
  path: string
  /** The members that have no other place in a record. */
  kept: JsonObject | undefined
}

/** Finds the files of attachments, which people rename: by the path, then by the name with the issue, then by the name. */
export function findFiles(
  attachments: readonly { path: string; name: string; issue: number }[],
  files: ReadonlyMap<string, unknown>,
  top: string,
): (string | undefined)[] {
  const sharing = new Map<string, number>()
  for (const { name } of attachments) sharing.set(name, (sharing.get(name) ?? 0) + 1)
  return attachments.map(({ path, name, issue }) => {
    const names = [
      path,
      `attachments/${issue}_${name}`,
      ...(sharing.get(name) === 1 ? [`attachments/${name}`] : []),
    ]
    return names.map((each) => top + each).find((each) => files.has(each))
  })
}

/** Adds the record of an attachment. */
export function addUpload(tracker: Tracker, issueUrl: string, attachment: Attachment): Upload {
  const { name, user, at, head, path, issue, kept } = attachment
  const [, hex] = /^attachments\/([0-9a-f]{32})$/.exec(path) ?? []
  const key = `${issue} ${path}`
  const upload = uploadOf(tracker.host, {
    name,
    head,
    uuid: () => (hex ? asUuid(hex) : madeUuid(`bitbucket-issues attachments ${key}`)),
    number: () => madeId(`bitbucket-issues repository_files ${key}`),
  })
  const of = { repository: tracker.url, parent: 'issue', parentUrl: issueUrl, user, at }
  tracker.add(upload.kind, uploadRecord(upload, of), kept)
  return upload
}

/** The last paragraph of a description: links to what was attached, which no text links to. */
export const attachedTo = (uploads: readonly Upload[]): string =>
  uploads
    .map(({ name, url }) => `Attached: [${name.replace(/[[\]\\\r\n]/g, '\\$&')}](${url})`)
    .join('\n')
