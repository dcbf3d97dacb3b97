import type { MarkdownIt } from 'markdown-it'

/** `www.example.org` becomes a link: GFM takes it for an address without its scheme. */
export function linkWww(parser: MarkdownIt): void {
  parser.linkify.add('www.', {
    validate(text, pos, { re }) {
      const address = re.get_http_validator()
      address.lastIndex = 0
      const [found = ''] = address.exec(`//www.${text.slice(pos)}`) ?? []
      // A name needs one more part: "www.a", as "//www.a".
      return /^\/\/www\.[^\s/]*[^\s/.]/.test(found) ? found.length - '//www.'.length : 0
    },
    normalize(match) {
      match.url = `http://${match.url}`
    },
  })
}
