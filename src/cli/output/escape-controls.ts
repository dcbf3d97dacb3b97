import * as base from '../../base/escape-controls.ts'
import type { SafeText } from '../command/safe-text.ts'

/** Text that shows control, bidi and invisible characters as escapes, so that it may reach a terminal. */
export const escapeControls = (text: string): SafeText => base.escapeControls(text) as SafeText

/** The same for text of several lines: line breaks (CRLF becomes LF) and tabs stay. */
export const escapeControlsButNewlines = (text: string): SafeText =>
  base.escapeControlsButNewlines(text) as SafeText

/** The same for a JSON text, which parses to the same value. */
export const escapeControlsInJson = (json: string): SafeText =>
  base.escapeControlsInJson(json) as SafeText
