import { Random } from './random.ts'

const onsets = 'b br c ch cl d dr f fl g gr h j k l m n p pl qu r s sh st t th tr v w z'.split(' ')
const vowels = 'a a e e i i o o u u ai ea oo'.split(' ')
const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'm', 'ck', 'nd', 'st', 'x']

/** A few thousand made-up words, short ones first, the same in every archive. */
export const words: readonly string[] = makeWords(6000)

// A draw from this table follows Zipf's law: the word of rank r has a share of about 1/r.
const draws = makeDraws()

function makeWords(count: number): string[] {
  const random = new Random(0, 1, 0)
  const made = new Set<string>()
  while (made.size < count) {
    const syllables = 1 + Math.min(random.below(3), Math.floor(made.size / 200))
    let word = ''
    for (let i = 0; i < syllables; i++) word += random.pick(onsets) + random.pick(vowels)
    made.add(word + random.pick(codas))
  }
  return [...made]
}

function makeDraws(): Uint16Array {
  const table = new Uint16Array(1 << 16)
  const total = words.reduce((sum, _, i) => sum + 1 / (i + 60), 0)
  let at = 0
  let reached = 0
  for (let rank = 0; rank < words.length; rank++) {
    reached += 1 / (rank + 60) / total
    while (at < reached * table.length && at < table.length) table[at++] = rank
  }
  return table
}

export function word(random: Random): string {
  return words[draws[random.next() >>> 16] as number] as string
}

/** A word, or at times something a packer cannot know: a number, a hash, a name in code. */
function token(random: Random): string {
  const kind = random.below(100)
  if (kind < 70) return word(random)
  if (kind < 77) return String(random.below(100_000))
  if (kind < 95) return random.hex(random.chance(0.2) ? 40 : 8)
  if (kind < 96) return `\`${word(random)}_${word(random)}()\``
  if (kind < 97) return `"${word(random)}"`
  if (kind < 98) return `#${1 + random.skewed(20_000)}`
  return random.pick(['naïve', 'größer', '👍', '🎉', 'C:\\temp', '**not**', '→', '日本語', '<br>'])
}

export function sentence(random: Random, length = 4 + random.below(8)): string {
  let text = word(random)
  text = (text[0] as string).toUpperCase() + text.slice(1)
  for (let i = 1; i < length; i++) text += (random.chance(0.07) ? ', ' : ' ') + token(random)
  return text
}

function code(random: Random): string {
  const lines = ['```']
  for (let i = 2 + random.below(12); i > 0; i--) lines.push(codeLine(random))
  return [...lines, '```'].join('\r\n')
}

export function codeLine(random: Random): string {
  const indent = '  '.repeat(random.below(4))
  const argument = random.chance(0.5) ? word(random) : random.below(100_000)
  return `${indent}${word(random)}.${word(random)}(${argument})${random.pick(['', ';', ' {', ','])}`
}

/** A text as written in a web form, `size` sentences long on the average: most are short, a few very long. */
export function body(random: Random, size: number): string {
  const sentences = Math.min(1 - Math.log(1 - random.fraction()) * (size - 1), 400)
  const boost = random.chance(0.0005) ? 20 : 1
  let text = sentence(random)
  for (let i = 1; i < sentences * boost; i++) {
    const kind = random.below(100)
    if (kind < 75) text += `. ${sentence(random)}`
    else if (kind < 92) text += `.\r\n\r\n${sentence(random)}`
    else if (kind < 96) text += `:\r\n\r\n- ${sentence(random)}`
    else if (kind < 98) text += `\r\n> ${sentence(random)}\r\n`
    else text += `:\r\n\r\n${code(random)}\r\n`
  }
  return text
}
