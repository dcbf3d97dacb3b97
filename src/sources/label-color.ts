/** The color that a name is readable in on a label. */
export function textColor(color: string): string {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) =>
    Number.parseInt(color.slice(at, at + 2), 16),
  )
  const lightness = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
  return lightness > 0.453 ? '000000' : 'ffffff'
}
