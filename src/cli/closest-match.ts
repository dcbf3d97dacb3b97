export { closestMatch as nearest } from '../closest-match.ts'
