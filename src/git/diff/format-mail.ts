import { isAscii } from 'node:buffer'
import { type Commit, subjectOf } from '../parse/parse-commit.ts'
import type { Person } from '../parse/parse-person.ts'
import type { FilePatch } from './diff-trees.ts'
import { layOutStat, statsOf, sumStat } from './format-stat.ts'

/** Where a patch is among several. */
export interface MailPlace {
  /** From 1. */
  readonly number: number
  readonly total: number
}

/**
 * Writes a commit as a mail, as `git format-patch` does, so that `git am` makes the commit again.
 *
 * @param files what it changed, as often as asked for: once to count and once to write
 * @param format writes the patch of a file
 */
export function* formatMail(
  commit: Commit,
  { number, total }: MailPlace,
  files: () => Iterable<FilePatch>,
  format: (patch: FilePatch) => Iterable<Buffer>,
): Generator<Buffer> {
  const { oid, author, message } = commit
  const width = String(total).length
  const place = total > 1 ? ` ${String(number).padStart(width, '0')}/${total}` : ''
  const body = bodyOf(message)
  const stats = [...statsOf(files())]
  const rows = layOutStat(stats).map(({ text, inserted, deleted }) => text + inserted + deleted)
  const head = [
    // A date that marks a mail of git format-patch.
    `From ${oid} Mon Sep 17 00:00:00 2001`,
    `From: ${addressOf(author)}`,
    `Date: ${dateOf(author)}`,
    `Subject: [PATCH${place}] ${encodeWords(subjectOf(commit))}`,
    ...(isAscii(Buffer.from(body)) ? [] : MIME),
    '',
    ...(body === '' ? [] : [body]),
    '---',
    ...(stats.length > 0 ? [...rows, sumStat(stats)] : []),
    '',
  ]
  yield Buffer.from(`${head.join('\n')}\n`)
  for (const file of files()) yield* format(file)
  yield Buffer.from('-- \nmarc\n\n')
}

const MIME = [
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=UTF-8',
  'Content-Transfer-Encoding: 8bit',
]

/** A message without its first paragraph. */
function bodyOf(message: string): string {
  const lines = message.replace(/^(?:[ \t\r\f\v]*\n)+/, '').split('\n')
  const end = lines.findIndex((line) => line.trim() === '')
  return end < 0
    ? ''
    : lines
        .slice(end)
        .join('\n')
        .replace(/^\n+|(?<!\n)\n+$/g, '')
}

function addressOf({ name, email }: Person): string {
  const isPlain = isAscii(Buffer.from(name))
  const quoted = /[()<>@,;:\\".[\]]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
  return `${isPlain ? quoted : encodeWords(name)} <${email}>`
}

/** Text for a header of a mail: other than ASCII is encoded. */
function encodeWords(text: string): string {
  const bytes = Buffer.from(text)
  if (isAscii(bytes)) return text
  const encoded = [...bytes].map((byte) =>
    PLAIN.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  )
  return `=?UTF-8?q?${encoded.join('')}?=`
}

const PLAIN = /[A-Za-z0-9!*+/-]/

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** The date of an author as mails have it, in the author's zone: `Wed, 1 May 2024 14:00:00 +0200`. */
function dateOf({ seconds = 0, zone }: Person): string {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  const local = new Date((seconds + (zone.startsWith('-') ? -60 : 60) * minutes) * 1000)
  if (Number.isNaN(local.getTime())) return 'Thu, 1 Jan 1970 00:00:00 +0000'
  const day = `${DAYS[local.getUTCDay()]}, ${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]}`
  return `${day} ${local.getUTCFullYear()} ${local.toISOString().slice(11, 19)} ${zone}`
}
