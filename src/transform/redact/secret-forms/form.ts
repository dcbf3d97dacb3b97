/** A form of secrets that a host has published. */
export interface SecretForm {
  /** Its name in marks and reports. */
  readonly name: string
  /** Its first characters. */
  readonly prefix: string
  /** The characters that follow, as a pattern of bounded length. */
  readonly body: string
  /** Where the form is documented. */
  readonly source: string
}

/** The same form behind several prefixes. */
export const form = (
  name: string,
  prefixes: readonly string[],
  body: string,
  source: string,
): SecretForm[] => prefixes.map((prefix) => ({ name, prefix, body, source }))
