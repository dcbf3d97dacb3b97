import { pathOf } from '../../archive/entry-role.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { fileName, nameInUrl } from '../file-name.ts'
import { asUuid, madeId, madeUuid } from '../made-id.ts'
import { pictureType } from '../picture-type.ts'
import type { Tracker } from './tracker.ts'

/** A file that was attached to an issue. */
export interface Attachment {
  issue: number
  name: string
  user: string | null
  at: string
  /** Its path in the source, if it is there. */
  found: string | undefined
  /** The first bytes of it. */
  head: Buffer | undefined
  /** Its path as the export has it. */
  path: string
}

/** An attachment as the archive has it. */
export interface Upload {
  url: string
  name: string
  path: string
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
  const { name: named, user, at, head, path: source, issue } = attachment
  const name = fileName(named)
  const [, hex] = /^attachments\/([0-9a-f]{32})$/.exec(source) ?? []
  const key = `${issue} ${source}`
  const picture = pictureType(name, head)
  if (picture !== undefined) {
    const id = hex === undefined ? madeUuid(`bitbucket-issues attachments ${key}`) : asUuid(hex)
    const path = pathOf({ role: 'attachment', id, name })
    const url = `${tracker.host}/user-attachments/assets/${id}`
    const record: JsonObject = {
      type: 'attachment',
      url,
      legacy_url: null,
      issue: issueUrl,
      user,
      asset_name: name,
      asset_content_type: picture,
      asset_url: `tarball://root/${path}`,
      created_at: at,
    }
    tracker.add('attachments', record, undefined)
    return { url, name, path }
  }
  const id = String(madeId(`bitbucket-issues repository_files ${key}`))
  const path = pathOf({ role: 'repository-file', id, name })
  const url = `${tracker.host}/user-attachments/files/${id}/${nameInUrl(name)}`
  const record: JsonObject = {
    type: 'repository_file',
    url,
    repository: tracker.url,
    user,
    file_name: name,
    file_content_type: 'application/octet-stream',
    file_url: `tarball://root/${path}`,
    created_at: at,
  }
  tracker.add('repository_files', record, undefined)
  return { url, name, path }
}

/** The last paragraph of a description: links to what was attached, which no text links to. */
export const attachedTo = (uploads: readonly Upload[]): string =>
  uploads
    .map(({ name, url }) => `Attached: [${name.replace(/[[\]\\\r\n]/g, '\\$&')}](${url})`)
    .join('\n')
