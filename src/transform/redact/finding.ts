/** The kinds of values that are found. */
export type ValueType = 'email' | 'name' | 'login' | 'ip' | 'secret' | 'own'

/** A value in a text. */
export interface Finding {
  type: ValueType
  start: number
  end: number
  value: string
  /** The form of a secret. */
  name?: string
  /** It may be something else, such as a version: it stays, and is listed. */
  doubtful?: boolean
}
