import type { JsonObject } from '../../records/json/json.ts'
import { textColor } from '../label-color.ts'
import type { Project } from './project.ts'

/** A thread whose records are being made. */
export interface Thread {
  project: Project
  /** The member of other records that names it. */
  parent: 'issue' | 'pull_request'
  url: string
  number: number
  entry: string
  created_at: string
}

/** An event of a thread that is to become a record. */
export interface Event {
  event: string
  /** The time as written. */
  time: string
  actor: string | null
  /** Members that only some events have. */
  more: JsonObject
  kept?: JsonObject | undefined
  /** The object that it is made of, for its id. */
  object: JsonObject
  key: string
}

/** The members of an event that tell its label. */
export const labelMembers = ({ url, name, color }: JsonObject): JsonObject => ({
  label: url ?? null,
  label_name: name ?? null,
  label_color: color ?? null,
  label_text_color: textColor(String(color)),
})

/** A word of a source as a part of the name of an event. */
export const asWord = (text: string): string =>
  text.replace(/[^A-Za-z0-9]+/g, '_').slice(0, 60) || 'note'
