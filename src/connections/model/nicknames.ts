/** Given names and their short forms, because two address books often use different forms of one name. */

/** Each name followed by its short forms, normalized. A form of two names is listed with the more common one. */
const NAMES = `
abigail abby, albert al bert, alejandro ale, alexander alex sasha xander, andreas andi, andrew andy drew, anthony tony,
antonio toni, barbara barb, benjamin ben benny, catherine cathy, charles charlie chuck, christine chris tina,
christopher kris, daniel dan danny, david dave, deborah deb debbie, donald don, dorothy dot dottie, douglas doug,
edward ed eddie ted, eleanor ellie, elizabeth beth betty eliza lizzie liz, frances fran, francisco paco, franziska franzi,
frederick fred freddie, gabriel gabe, gerald gerry, gregory greg, henry hank harry, isabella bella, jacob jake,
jacqueline jackie, james jim jimmy, jeffrey jeff, jennifer jen jenny, jessica jess, johannes hannes, jonathan jon,
jose pepe, joseph joe joey, joshua josh, judith judy, katarzyna kasia, katherine kate katie kathy, kenneth ken,
lawrence larry, leonard leo len, malgorzata gosia, margaret maggie meg peggy, matthew matt, matthias matze, maximilian max,
michael mike mick mickey, natalie nat, nathaniel nate, nicholas nick nico, pamela pam, patricia patty tricia,
patrick paddy, peter pete, philip phil, rebecca becky becca, richard dick rich rick, robert bob bobby rob robbie,
ronald ron, samuel sam sammy, sebastian seb basti, stephen steve, steven stevie, susan sue susie, tatiana tanya,
theodore theo, thomas tom tommy, timothy tim, valentina vale, victoria vicky, vincent vince, vladimir vova,
walter walt, william bill billy liam will willy, zachary zach`

const FULL_NAMES: ReadonlyMap<string, string> = new Map(
  NAMES.split(',').flatMap((line) => {
    const [name = '', ...forms] = line.trim().split(/\s+/)
    return forms.map((form) => [form, name])
  }),
)

/** `bob` becomes `robert`; a name without a full form is returned unchanged. */
export function fullName(word: string): string {
  return FULL_NAMES.get(word) ?? word
}
