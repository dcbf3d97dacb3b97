import type { JsonObject } from '../../records/json/json.ts'
import { asUuid, madeId, madeUuid } from '../made-id.ts'
import { uploadOf, uploadRecord } from '../upload.ts'
import type { Survey } from './survey.ts'

/** The project that has them. */
interface Owner {
  readonly survey: Survey
  readonly host: string
  readonly url: string
  add(kind: string, record: JsonObject): void
}

/** The record that shows an upload. */
export interface ShownBy {
  /** The url of its thread. */
  thread: string
  /** Its type, such as `issue_comment`. */
  type: string
  url: string
  user: string | null
  at: string
}

/** Files that texts of a project link to. */
export class Uploads {
  readonly #project: Owner
  readonly #urls = new Map<string, string>()
  /** Where the files of uploads go: several places for one that several threads show. */
  readonly moved = new Map<string, string[]>()

  constructor(project: Owner) {
    this.#project = project
  }

  /** The address of an upload, such as `0123…/lid.png`; undefined if there is no such file. */
  urlOf(path: string, { thread, type, url, user, at }: ShownBy): string | undefined {
    const project = this.#project
    const head = project.survey.uploads.get(path)
    if (head === undefined) return undefined
    const known = this.#urls.get(`${thread} ${path}`)
    if (known !== undefined) return known
    const [hex = '', name = ''] = path.split('/')
    // An importer moves a file. Each thread that shows it gets one of its own.
    const places = this.moved.get(path) ?? []
    const key = `gitlab-project uploads ${path}${places.length > 0 ? ` ${thread}` : ''}`
    const upload = uploadOf(project.host, {
      name,
      head,
      uuid: () => (places.length > 0 ? madeUuid(key) : asUuid(hex)),
      number: () => madeId(key),
    })
    places.push(upload.path)
    this.moved.set(path, places)
    this.#urls.set(`${thread} ${path}`, upload.url)
    const of = { repository: project.url, parent: type, parentUrl: url, user, at }
    project.add(upload.kind, uploadRecord(upload, of))
    return upload.url
  }
}
