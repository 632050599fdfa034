// The public profile of the demo member, a fictional founder of a small studio.

import { DEMO_USERNAME } from '../../access/demo-tour.ts'

interface DemoMember {
  readonly username: string
  readonly name: string
  readonly headline: string
  readonly about: string
  readonly location: string
  readonly organization: string
  readonly title: string
  readonly skills: readonly string[]
  readonly links: readonly { readonly label: string; readonly url: string }[]
}

export const DEMO_MEMBER: DemoMember = {
  username: DEMO_USERNAME,
  name: 'Robin Okafor-Lindqvist',
  headline: 'Founder of Hedgerow & Tide, a small studio that gets climate products out of the lab',
  about:
    'I run a five-person studio in Malmö. We work beside teams with a good piece of climate ' +
    'hardware or data and no product yet, and stay until strangers are paying for it: heat, ' +
    'grids, water, food. Before that I spent five years on product at a payments company in ' +
    'Stockholm and two at a grid software firm in Oslo. I studied earth sciences at Ravensholt, ' +
    'grew up between Enugu and Umeå, and am happiest in a cold harbor at seven in the morning.',
  location: 'Malmö, Sweden',
  organization: 'Hedgerow & Tide',
  title: 'Founder',
  skills: [
    'Product strategy',
    'Climate hardware',
    'Pilot design',
    'Pricing',
    'Grant writing',
    'Customer research',
    'Grid flexibility',
    'Early-stage hiring',
  ],
  links: [
    { label: 'Studio', url: 'https://hedgerow-and-tide.example.com' },
    { label: 'Field notes', url: 'https://notes.hedgerow-and-tide.example.com' },
    { label: 'Talks', url: 'https://hedgerow-and-tide.example.com/talks' },
  ],
}
