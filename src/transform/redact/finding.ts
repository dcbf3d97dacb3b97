/** The kinds of values that are found. */
export type ValueType = 'email' | 'name' | 'login' | 'ip' | 'secret' | 'own'

/** A text in another, in base64 or hexadecimal digits, and the values in it. */
export interface Within {
  text: string
  findings: readonly Finding[]
  /** Writes another text in the same way. */
  encode: (text: string) => string
}

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
  /** The encoded text that begins and ends there and has this value, and maybe others. */
  within?: Within
}
