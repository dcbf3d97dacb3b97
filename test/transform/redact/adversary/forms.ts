/** The forms of values that are planted: tokens, addresses, names, logins and IP addresses. */

import { secretsByContext, tokensOf } from '../tokens.ts'
import type { Form, Maker } from './planter.ts'

export const HOST = 'https://forge.example'

/** Rows of a table of tokens, as templates that are filled with tokens of their own. */
const secrets = (rows: typeof tokensOf): Form[] =>
  rows((...made) => `\0${JSON.stringify(made)}\0`).map(([name, template]) => ({
    kind: 'secret',
    name,
    write: ({ token }) =>
      template.replace(/\0(.*?)\0/g, (_, made) => token(...(JSON.parse(made) as [string, number]))),
  }))

const forms = (kind: string, rows: Readonly<Record<string, (make: Maker) => string>>): Form[] =>
  Object.entries(rows).map(([name, write]) => ({ kind, name, write }))

const EMAILS = forms('email', {
  plain: ({ word }) => `${word()}@mail.example`,
  'in upper case': ({ word }) => `${word()}@mail.example`.toUpperCase(),
  'with a tag': ({ word }) => `${word()}+list@mail.example`,
  'with full stops': ({ word }) => `a.${word()}.z@mail.example`,
  'with other signs': ({ word }) => `a_${word()}-1@mail.example`,
  'with an apostrophe': ({ word }) => `o'${word()}@mail.example`,
  'with a slash and more': ({ word }) => `a!#$%*/=?^${word()}@mail.example`,
  'with a quoted name': ({ word }) => `"a ${word()}"@mail.example`,
  'of digits': ({ token }) => `${token('', 12, '123456789')}@mail.example`,
  'with a long name': ({ word }) => `${word(54)}@mail.example`,
  'in a deep domain': ({ word }) => `${word()}@a.b.c.d.mail.example`,
  'in a domain of letters and digits': ({ word }) => `${word()}@3com-7.example`,
  'in a long top domain': ({ word }) => `${word()}@mail.photography`,
  'in a domain with accents': ({ word }) => `${word()}@bücher.example`,
  'in a domain in ASCII': ({ word }) => `${word()}@xn--bcher-kva.example`,
  'in a Cyrillic domain': ({ word }) => `${word()}@почта.рф`,
  'with accents': ({ word }) => `josé.${word()}@mail.example`,
  'at an IP address': ({ word }) => `${word()}@[203.0.113.9]`,
  'of a host': ({ word }) => `${word()}@laptop.local`,
  'with dots behind': ({ word }) => `${word()}@mail.example...`,
  'with a comma behind': ({ word }) => `${word()}@mail.example, and`,
  'in a list': ({ word }) => `${word()}@b.example;${word()}@mail.example`,
  'in parentheses': ({ word }) => `(${word()}@mail.example)`,
  'in angle brackets': ({ word }) => `Someone <${word()}@mail.example>`,
  'in quotes': ({ word }) => `"${word()}@mail.example"`,
  'in single quotes': ({ word }) => `'${word()}@mail.example'`,
  'in backticks': ({ word }) => `\`${word()}@mail.example\``,
  'in bold type': ({ word }) => `**${word()}@mail.example**`,
  'in italics': ({ word }) => `_${word()}@mail.example_`,
  'in a cell': ({ word }) => `| 1 | ${word()}@mail.example | x |`,
  'behind a colon': ({ word }) => `cc:${word()}@mail.example`,
  'behind a slash': ({ word }) => `a/${word()}@mail.example`,
  'in an assignment': ({ word }) => `email=${word()}@mail.example`,
  'in mailto': ({ word }) => `mailto:${word()}@mail.example?subject=x`,
  'in a link': ({ word }) => `[mail](mailto:${word()}@mail.example)`,
  'in a query': ({ word }) => `${HOST}/?email=${word()}@mail.example&b=1`,
  'in an encoded query': ({ word }) => `${HOST}/?email=${word()}%40mail.example&b=1`,
  'signing off': ({ word }) => `Signed-off-by: A B <${word()}@mail.example>`,
  'without replies': ({ word }) => `1234567+${word()}@users.noreply.forge.example`,
  'before an ending': ({ word }) => `report-${word()}@mail.example.txt`,
  'with an entity': ({ word }) => `${word()}&#64;mail.example`,
  'with a hexadecimal entity': ({ word }) => `${word()}&#x40;mail.example`,
  'with a named entity': ({ word }) => `${word()}&commat;mail.example`,
  'with an escape of JSON': ({ word }) => `${word()}\\u0040mail.example`,
  'with an escape of mail': ({ word }) => `${word()}=40mail.example`,
  'behind ssh': ({ word }) => `ssh ${word()}@build.example`,
  'with an at sign in parentheses': ({ word }) => `${word()}(at)mail.example`,
  'with an at sign and a dot in brackets': ({ word }) => `${word()} [at] mail [dot] example`,
  'with an at sign in braces': ({ word }) => `${word()}{@}mail.example`,
  'in words': ({ word }) => `${word()} at mail dot example`,
  'with a dot in brackets': ({ word }) => `a.${word()} AT mail[DOT]example`,
  'in strings that a program joins': ({ word }) => `'${word()}' + '@' + 'mail.example'`,
  'in two strings that a program joins': ({ word }) => `"${word()}" + "@mail.example"`,
  'in one of three strings': ({ word }) => `"x" + "${word()}@mail.example" + "x"`,
  'in strings that PHP joins': ({ word }) => `"a.${word()}@" . "mail.example"`,
  'with an escape of a style sheet': ({ word }) => `${word()}\\40 mail.example`,
  'with an escape of troff': ({ word }) => `${word()}\\(atmail.example`,
  'with the name of a sign': ({ word }) => `${word()}\\N{COMMERCIAL AT}mail.example`,
  'with an escape of Texinfo': ({ word }) => `${word()}@@mail.example`,
  'with a comment behind its name': ({ word }) => `${word()}(home)@mail.example`,
  'with a comment before its domain': ({ word }) => `${word()}@(at home)mail.example`,
  'as a user of a URL': ({ word }) => `https://${word()}%40mail.example@host.example/x`,
})

const capital = (word: string) => word.replace(/^./, (letter) => letter.toUpperCase())

/** A full name of somebody with a record, and how a text spells it. */
const name = (spell: (name: string) => string, before = 'Vera') => {
  return ({ word, person }: Maker) => {
    const full = `${before} ${capital(word())}`
    person({ name: full })
    return spell(full)
  }
}

const NAMES = forms('name', {
  'as in the record': name((full) => full),
  'in lower case': name((full) => full.toLowerCase()),
  'in upper case': name((full) => full.toUpperCase()),
  'in the genitive': name((full) => `${full}'s idea`),
  'in quotes': name((full) => `"${full}"`),
  'on two lines': name((full) => full.replace(' ', '\n')),
  'with the last word first': name((full) => full.replace(/(\w+) (\w+)/, '$2, $1')),
  'in a card': name((full) => full.replace(/(\w+) (\w+)/, 'N:$2;$1;;;')),
  'in two cells': name((full) => `1,${full.replace(' ', ',')},x`),
  'in two cells with quotes': name((full) => `1;${full.replace(/(\w+) (\w+)/, '"$2";"$1"')};x`),
  'in two cells of TSV': name((full) => `1\t${full.replace(/(\w+) (\w+)/, '$2\t$1')}\tx`),
  'in two cells of a table': name((full) => `| ${full.replace(' ', ' | ')} |`),
  'with an initial between': name((full) => full.replace(' ', ' M. ')),
  'with an underscore': name((full) => full.toLowerCase().replace(' ', '_')),
  'with a full stop': name((full) => full.toLowerCase().replace(' ', '.')),
  'with entities of HTML': name((full) => full.replace('ë', '&euml;'), 'Zoë'),
  'with three words': name((full) => full, 'Vera de la'),
  'with an initial': name((full) => full, 'J. R.'),
  'with accents': name((full) => full, 'Zoë'),
  'with an apostrophe': name((full) => full, "D'Arcy"),
  'with a hyphen': name((full) => full, 'Anne-Marie'),
})

const login = (spell: (login: string) => string) => {
  return ({ word, person }: Maker) => {
    const own = word()
    person({ login: own })
    return spell(own)
  }
}

const LOGINS = forms('login', {
  mentioned: login((own) => `@${own}`),
  'mentioned in upper case': login((own) => `@${own.toUpperCase()}`),
  'mentioned in parentheses': login((own) => `(@${own})`),
  'mentioned in code': login((own) => `\`@${own}\``),
  'mentioned before a full stop': login((own) => `@${own}.`),
  'in the URL of a person': login((own) => `${HOST}/${own}`),
  'in the URL of a repository': login((own) => `${HOST}/${own}/tools`),
  'in the URL of an issue': login((own) => `${HOST}/${own}/tools/issues/7#issuecomment-1`),
  'in an address of Git': login((own) => `git@${HOST.slice(8)}:${own}/tools.git`),
  'in the message of a merge': login((own) => `Merge pull request #5 from ${own}/tools`),
  'in the host of pages': login((own) => `https://${own}.github.io/`),
  'in a link': login((own) => `[they](${HOST}/${own})`),
})

const octet = ({ below }: Maker) => 130 + below(120)
const v4 = (spell: (address: string) => string) => (make: Maker) =>
  spell(make.hide(`1${20 + make.below(6)}.${octet(make)}.${octet(make)}.${octet(make)}`))

const IPV4 = forms('ipv4', {
  plain: v4((ip) => ip),
  'with a port': v4((ip) => `${ip}:8080`),
  'in a URL': v4((ip) => `http://${ip}/status`),
  'behind an option': v4((ip) => `mysql -h${ip} -u root`),
  'in brackets': v4((ip) => `[${ip}]`),
  'of a network': v4((ip) => `${ip}/24`),
  'before a full stop': v4((ip) => `from ${ip}.`),
  'in a log': v4((ip) => `${ip} - - [01/Jan/2020:00:00:00 +0000] "GET / HTTP/1.1" 200`),
  'in an assignment': v4((ip) => `REMOTE_ADDR=${ip};`),
  'in a list': v4((ip) => `unknown,${ip}`),
  'with zeros': (make) =>
    make.hide(`0${20 + make.below(70)}.${octet(make)}.${octet(make)}.${octet(make)}`),
  'in the name of a host': (make) =>
    `ec2-${make.hide([54, octet(make), octet(make), octet(make)].join('-'))}.compute-1.example`,
  'as a number': (make) => `http://${make.hide(String(2_200_000_000 + make.below(600_000_000)))}/x`,
  'within IPv6': v4((ip) => `::ffff:${ip}`),
})

const group = ({ below }: Maker) =>
  `${1 + below(9)}${'abcdef'[below(6)]}${below(10)}${'abcdef'[below(6)]}`
const v6 = (spell: (tail: string) => string) => (make: Maker) =>
  spell(make.hide([group(make), group(make), group(make)].join(':')))

const IPV6 = forms('ipv6', {
  'in full': v6((tail) => `2a02:0908:0000:0000:0000:${tail}`),
  shortened: v6((tail) => `2a02:908::${tail}`),
  'in upper case': v6((tail) => `2A02:908::${tail.toUpperCase()}`),
  'with a port': v6((tail) => `[2a02:908::${tail}]:443`),
  'in a URL': v6((tail) => `http://[2a02:908::${tail}]/`),
  'of a network': v6((tail) => `2a02:908::${tail}/64`),
  'with a zone': v6((tail) => `fe80::1:${tail}%eth0`),
  'before a full stop': v6((tail) => `from 2a02:908::${tail}.`),
  'in an assignment': v6((tail) => `ip=2a02:908::${tail}`),
})

/** All forms by the type of value. */
export const FORMS: Readonly<Record<string, readonly Form[]>> = {
  secret: [...secrets(tokensOf), ...secrets(secretsByContext)],
  email: EMAILS,
  name: NAMES,
  login: LOGINS,
  ipv4: IPV4,
  ipv6: IPV6,
}
