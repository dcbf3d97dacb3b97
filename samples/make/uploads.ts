import { accountUrl, uploadUrl } from './host.ts'
import type { Project } from './project.ts'

interface Picture {
  uuid: string
  name: string
  bytes: Uint8Array
  by: string
  at: string
  /** Number of the issue whose text shows it. */
  issue: number
}

/** Adds a picture. Returns its address, which an importer looks for in the text that shows it. */
export function addPicture({ content, url }: Project, picture: Picture): string {
  const { uuid, name, bytes, by, at, issue } = picture
  const path = `attachments/${uuid}/${name}`
  const address = uploadUrl('assets', uuid)
  content.files.set(path, bytes)
  content.records.attachments.push({
    type: 'attachment',
    url: address,
    legacy_url: null,
    issue: `${url}/issues/${issue}`,
    user: accountUrl(by),
    asset_name: name,
    asset_content_type: 'image/png',
    asset_url: `tarball://root/${path}`,
    created_at: at,
  })
  return address
}

interface TextFile {
  number: number
  name: string
  text: string
  by: string
  at: string
}

/** Adds a file that is no picture; these are kept apart. Returns its address, to link to. */
export function addTextFile({ content, url }: Project, file: TextFile): string {
  const { number, name, text, by, at } = file
  const path = `repository_files/${number}/${name}`
  const address = uploadUrl('files', `${number}/${name}`)
  content.files.set(path, Buffer.from(text))
  content.records.repository_files.push({
    type: 'repository_file',
    url: address,
    repository: url,
    user: accountUrl(by),
    file_name: name,
    file_content_type: 'text/plain',
    file_url: `tarball://root/${path}`,
    created_at: at,
  })
  return address
}
