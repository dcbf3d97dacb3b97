import type { KindName } from '../../records/kinds/kinds.ts'
import { elementMember, elementsOf } from './record-select.ts'

/** A member that names a file of the archive. */
export interface Upload {
  kind: KindName
  member: string
  /** The address as SQL, in a SELECT of the records `o` with `elements`. */
  address: string
  elements: string
  /** The media type as SQL. */
  type: string
}

const asset = (member: string) => elementMember(member)

/** Every member that names a file, except Git data. */
export const UPLOADS: readonly Upload[] = [
  {
    kind: 'attachments',
    member: 'asset_url',
    elements: '',
    address: 'o.asset_url',
    type: 'o.asset_content_type',
  },
  {
    kind: 'repository_files',
    member: 'file_url',
    elements: '',
    address: 'o.file_url',
    type: 'o.file_content_type',
  },
  {
    kind: 'releases',
    member: 'release_assets[].asset_url',
    elements: elementsOf('release_assets'),
    address: asset('asset_url'),
    type: asset('asset_content_type'),
  },
]

/** Every such address begins with this. The path in the archive follows, not percent-encoded. */
export const ROOT = 'tarball://root/'

/** The path in the archive, as SQL. */
export const pathOf = (address: string): string => `substr(${address}, ${ROOT.length + 1})`
