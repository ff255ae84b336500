/* Synonyms of WordNet, made by makeWordNet.mjs. WordNet Release 3.0. This software and database is being provided to you, the LICENSEE, by
 * Princeton University under the WordNet License (see THIRD-PARTY-NOTICES). WordNet 3.0 Copyright 2006 by Princeton
 * University. All rights reserved. */
export const WORDNET = `
v abandon: give up, empty, vacate
v abide: stay, bear, stand, suffer, tolerate, endure
v absent: remove
v absorb: assimilate, ingest, take in
v abuse: maltreat
v accelerate: speed, speed up, quicken
v accentuate: stress, emphasize
v accept: take, have
v acclaim: hail, herald
v accommodate: fit, suit, adapt
v accompany: go with, come with, attach to
v accomplish: achieve, carry out, reach, attain, fulfill, carry through
v accord: allot, grant, fit in, agree
v accost: come up to
v accredit: recognize
v accumulate: collect, pile up, compile, gather, amass
v ache: hurt, suffer, smart
v achieve: reach, attain, accomplish
v acknowledge: admit
v acquaint: introduce, present
v acquiesce: assent
v acquire: get
v act: behave, move, do
v activate: spark, trigger, set off, touch off, actuate
v actuate: spark, trigger, set off, activate, touch off
v adapt: adjust, accommodate, conform
v add: supply
v address: turn to
v adjoin: butt, butt against
v admit: acknowledge
v adopt: follow, espouse
v adorn: decorate, grace, ornament
v advance: go on, move on, progress, march on, pass on
v advertise: publicize
v advise: notify, counsel, send word
v advocate: recommend, urge
v affect: touch, bear on, bear upon
v affirm: confirm, swear, support, assert, corroborate, substantiate
v affix: append
v afford: give, yield
v aggravate: exacerbate, exasperate
v agitate: stir up
v agree: concur
v aid: help, assist
v aim: propose, direct, take, train, take aim, purport
v alarm: alert
v alert: alarm
v align: adjust, line up
v allege: say
v alleviate: relieve, facilitate, ease
v allocate: apportion
v allot: assign, accord, grant
v allow: let, permit
v alter: change
v amaze: puzzle, astound, bewilder, astonish, mystify, baffle
v ambush: bushwhack, waylay, lie in wait
v amount: total, number, add up, come
v amplify: magnify
v amuse: divert
v analyse: study, analyze, examine
v analyze: study, examine, analyse
v anchor: ground
v announce: denote
v annoy: bother, irritate, vex
v answer: reply, respond
v anticipate: expect, foresee, counter
v appear: seem, look
v appease: pacify, conciliate, mollify, gentle
v applaud: clap
v apply: use, employ, utilize, go for
v appoint: name, charge, constitute
v apportion: allocate
v appraise: evaluate, assess, measure
v appreciate: take account
v apprehend: arrest, comprehend, grasp, pick up, nail, get the picture
v approach: near, come on, go up, draw near, come near
v appropriate: allow, set aside, reserve
v approve: sanction
v approximate: estimate, guess, judge, come close, gauge
v arch: curve
v argue: contend, reason, debate
v arise: develop, originate, spring up, grow, rise
v arm: build up, gird
v arouse: evoke, elicit, provoke, fire, raise
v arrange: set up, fix up
v arrest: pick up, nail, collar, apprehend, nab
v arrive: come, get
v articulate: formulate, say, phrase, pronounce, word, enunciate
v ascertain: determine, find, find out, see, insure, check
v ascribe: attribute, assign, impute
v aspire: aim
v assail: assault, attack
v assault: assail, attack
v assemble: meet, set up, gather, put together
v assent: acquiesce
v assert: maintain
v assess: evaluate, measure, appraise
v assign: allot, delegate, designate
v assimilate: absorb, ingest, take in
v assist: help, aid
v associate: relate, link, connect
v assume: presume, take for granted
v assure: insure, ensure, guarantee, secure
v astound: amaze, astonish
v attain: achieve, reach, accomplish
v attempt: try, seek, undertake, essay, set about
v attend: go to
v attest: evidence, manifest, certify, demonstrate
v attract: pull, pull in, draw in
v attribute: assign, impute, ascribe
v authorize: clear
v avert: avoid, head off, stave off
v avoid: avert, head off, stave off
v await: wait, expect, look
v awake: awaken, wake up, arouse, wake, come alive
v awaken: wake up, awake, wake, arouse, come alive
v award: grant, present
v back: support, endorse, indorse, plump for
v badger: tease, pester, bug
v bang: slam
v banish: ostracize
v bar: block, exclude, barricade
v base: establish
v bask: enjoy, savor, relish
v batter: buffet, knock about
v battle: combat
v bawl: bellow
v bear: have, give birth
v beat: crush, beat out, vanquish
v beckon: wave
v become: get, go, turn
v befit: suit
v beg: implore, solicit, pray
v beget: sire, father, generate, bring forth
v begin: start, set out, commence, start out
v beguile: capture, captivate, charm, bewitch
v behave: act, do
v behold: lay eyes on
v belie: contradict
v believe: think, conceive, consider
v bellow: bawl
v belt: belt out
v bemoan: bewail
v benefit: gain, do good, profit
v berate: rebuke, scold, chide, lecture
v beseech: bid
v beset: plague, harry, chivy, provoke
v besiege: surround, hem in
v besmirch: calumniate
v better: improve, break, amend
v bewilder: puzzle, throw, mystify, baffle, amaze
v bid: wish, beseech, offer
v bill: charge
v bind: stick to, stick, bond
v blame: pick, fault
v blast: smash, blare, nail, boom
v blaze: blaze away
v blink: wink
v block: bar, obstruct, barricade, hinder
v bloom: blossom, flower
v blossom: bloom, unfold, flower
v blur: obscure
v blush: flush, redden
v bluster: boast, brag
v board: get on, room
v boast: feature, brag, bluster, sport
v book: hold
v boom: din
v boost: hike
v border: surround, frame, bound, frame in
v bore: drill
v borrow: adopt, take over, take up
v bother: annoy, irritate, trouble oneself, trouble, vex
v bounce: spring, bound, rebound, ricochet
v bound: limit, leap, jump, spring, confine, restrict
v bow: give in, submit, defer, accede
v brace: poise, steady
v brag: boast, bluster
v brandish: wave
v breach: violate, break, transgress
v breathe: take a breath
v breed: engender
v bring: take
v bristle: burst
v broadcast: send, transmit, beam
v broil: bake
v brood: dwell
v buckle: warp
v budge: stir, shift
v buffet: batter, knock about
v build: construct, make
v bump: find, encounter, knock
v bunch: cluster
v burn: burn down, glow, fire
v burrow: tunnel
v burst: explode, break, split
v bury: lay to rest, entomb, inter
v bustle: bustle about, hustle
v butt: adjoin, butt against
v buy: purchase
v bypass: get around
v calculate: compute, figure, reckon
v call: name
v calm: quiet, still
v camp: encamp, camp out
v campaign: run, fight
v can: fire, put up
v cancel: call off
v canvass: poll
v capitalize: take advantage
v captivate: capture, charm, beguile, bewitch
v capture: catch, get, captivate, charm, beguile, bewitch
v carry: transport, take
v cast: throw
v catapult: sling
v cater: provide, supply, ply
v cause: make, do, have, get, induce, stimulate
v cavort: run around, romp, frolic, skylark
v cease: stop, quit, discontinue, give up, lay off
v celebrate: observe, fete, keep
v center: center on, focus on, focus, concentrate on, concentrate, revolve around
v centralize: concentrate
v certify: evidence, manifest, attest, demonstrate, license
v challenge: dispute
v chance: run a risk, take a chance, gamble, risk, take chances, adventure
v change: alter
v chant: intone
v charm: capture, captivate, beguile, bewitch
v chase: go after, trail, dog, track
v chat: chatter, jaw, visit
v chatter: chat, jaw, visit
v cheat: jockey
v check: check out, look into, go over, check into
v cheer: embolden
v chide: rebuke, scold, berate, lecture
v chill: cool
v chin: chin up
v chip: break away, break off
v choose: select, take, pick out
v chortle: chuckle, laugh softly
v chuck: toss
v chuckle: chortle, laugh softly
v circulate: disseminate, spread, go around, distribute, diffuse
v circumscribe: limit
v cite: mention, refer, name
v claim: lay claim, arrogate
v clamber: scramble, struggle
v clap: applaud
v clarify: clear up, elucidate
v class: classify, sort out, separate
v classify: sort out, separate, class
v click: snap
v climax: culminate
v climb: climb up, mount, go up
v cling: adhere, cohere
v clog: choke off
v close: shut, shut down
v clothe: dress
v cloud: obscure, befog
v cluster: bunch
v clutch: seize
v coach: train
v coalesce: mix, fuse, merge, combine
v coax: wheedle
v coddle: pamper
v coerce: force, pressure
v coil: spiral, gyrate
v coincide: concur
v collaborate: cooperate, join forces, get together
v collapse: fall in, cave in, give, give way
v collect: gather, accumulate, compile, take in, pull together
v comb: ransack
v combat: battle
v combine: compound
v come: get, arrive, come up
v comfort: ease, solace, soothe, console
v command: require
v commemorate: mark
v commence: begin, start, set out, start out
v comment: point out, notice
v commit: devote, give, dedicate, perpetrate, pull
v communicate: pass
v compel: oblige
v compensate: counterbalance
v compete: vie, contend
v compile: collect, accumulate, compose
v complete: finish
v complicate: refine
v compliment: congratulate
v comply: follow, abide by
v compound: combine, intensify, deepen
v comprehend: grasp, apprehend, get the picture, savvy
v compress: contract, press, constrict
v comprise: contain, incorporate
v compute: calculate, figure, reckon
v conceal: hide
v concede: grant, confess, profess, yield
v conceive: think, believe, consider
v concentrate: focus, center, rivet, centralize, pore
v concern: refer, pertain, relate, come to, touch, bear on
v conclude: reason
v concur: agree
v condemn: decry, excoriate
v condense: concentrate
v condition: specify, train, discipline, stipulate
v conduct: carry on, lead, direct
v confess: concede, profess
v confine: limit, restrict, bound, throttle
v confirm: affirm, support, corroborate, substantiate
v confiscate: seize
v conform: adjust, adapt
v confound: confuse, befuddle
v confront: face, face up
v confuse: confound, befuddle
v congeal: set
v congratulate: compliment, felicitate
v connect: associate, relate, link, tie
v connote: imply
v conquer: suppress, subdue, stamp down
v consent: accept, go for
v consider: see, regard, view, study, reckon
v consist: lie in, lie, dwell
v consort: associate
v constitute: be, make up, represent, comprise
v construct: build, make
v construe: interpret
v consult: confer with
v consume: have, take, ingest, down
v contact: reach
v contain: hold, comprise, bear, carry, incorporate
v contaminate: foul
v contemplate: study
v contend: postulate
v contest: contend
v continue: go on, keep, go along, proceed
v contract: undertake
v contradict: belie
v contrast: counterpoint
v contribute: add, lend, give, bring, impart
v contrive: design, plan, invent, devise, formulate, project
v control: check, contain, curb, command, hold in
v convey: express, carry
v cook: prepare, fix, ready
v cool: chill
v cooperate: collaborate, join forces, get together
v coordinate: organize, organise
v cope: deal, get by, grapple, manage, make out, make do
v copy: simulate, imitate
v correct: redress
v correspond: match, fit, agree, equate
v corroborate: confirm, affirm, support, substantiate
v counsel: advise
v counter: anticipate, foresee
v counteract: antagonise
v couple: match, pair, mate
v court: woo
v crackle: crunch
v crawl: creep
v creak: screech, squeak
v create: make
v creep: crawl, sneak
v cringe: flinch, shrink, wince, recoil, grovel, quail
v criticise: criticize
v criticize: criticise
v cross: traverse, cover, get over, cut across, pass over, cut through
v crouch: squat, stoop, bend, hunker down
v crow: gloat
v crowd: herd
v crumble: crumple, tumble, break down
v crush: beat, squeeze, beat out, oppress, suppress, squash
v cry: call, scream, weep, shout, yell, call out
v crystallize: illuminate, shed light on, sort out, clear
v cuddle: nestle, snuggle, nuzzle, draw close
v culminate: climax
v cultivate: work
v curb: control, check, contain, hold in
v curl: curl up
v curse: swear, cuss, blaspheme
v curtail: restrict
v curve: veer, swerve, cut, arch, wind, sheer
v cut: reduce, cut down, cut back, trim, trim down
v dab: pat
v damn: curse, bedamn, imprecate
v dampen: moisten, stifle
v dangle: swing
v dare: make bold
v dart: dash, scoot, shoot, flash, flit, flutter
v dash: smash, scoot, shoot, flash, dart, scud
v deal: cover, treat, handle, plow
v debate: consider
v deceive: delude
v decide: make up one's mind, determine
v declaim: recite
v decline: reject, refuse, turn down, worsen, pass up
v decorate: adorn, grace, ornament
v decrease: diminish, lessen, fall
v decry: condemn, excoriate
v dedicate: devote, commit, give
v deduce: derive, infer
v deduct: subtract
v deem: hold, view as, take for
v deepen: compound, intensify
v defeat: overcome, kill, vote down
v defend: support
v defer: postpone, give in, bow, submit, shelve, set back
v define: specify, delimit
v defraud: swindle, con
v defy: withstand
v delay: hold up
v delight: please, enjoy, revel
v deliver: present
v demand: require, need, take, call for, necessitate, involve
v demonstrate: show, prove, present, establish, exhibit
v denote: refer
v depart: go, vary, go away, deviate
v depict: describe, show, draw, picture
v deposit: stick, lodge, wedge, situate
v depress: cast down
v deprive: strip, divest
v derive: gain, deduce, infer
v descend: fall, come down, go down
v describe: report, depict, draw
v desert: forsake, abandon
v deserve: merit
v design: plan, project, contrive
v desire: want
v despatch: dispatch
v despise: scorn, disdain
v destine: doom, intend
v destroy: ruin
v detect: find, observe, notice, discover
v determine: find, find out, ascertain
v detest: hate
v detonate: explode, blow up, set off
v develop: evolve
v deviate: vary, depart, divert
v devise: invent, formulate, contrive, forge
v devote: commit, give, dedicate
v dictate: prescribe, order
v die: perish, pass away, go, expire, drop dead, croak
v differentiate: distinguish, mark, separate, tell
v diffuse: spread out, disseminate, fan out, spread, pervade, permeate
v dig: delve, turn over
v diminish: decrease, lessen, fall
v din: boom
v dip: dunk
v direct: aim, place
v disagree: differ, take issue
v disappear: vanish
v disapprove: reject
v disband: dissolve
v discard: throw away, dispose, throw out, toss away, cast aside, toss
v discern: recognize, make out, distinguish, pick out, tell apart
v discharge: complete, dispatch
v discipline: train, condition
v disclose: reveal, expose, discover, give away, break, let out
v discontinue: stop, cease, quit, give up, lay off
v discount: dismiss, ignore, disregard, brush aside, push aside
v discourage: deter
v discover: find, hear, learn, see, observe, notice
v discriminate: single out
v discuss: talk about, talk over
v disdain: despise, scorn, spurn, reject
v disentangle: extricate, straighten out
v disgrace: dishonor, dishonour, shame
v dishonor: disgrace, dishonour, shame
v dislodge: free
v dismiss: ignore, discount, disregard, brush aside, push aside, throw out
v dismount: get down
v dispatch: despatch
v dispel: drive off, drive out, turn back, drive away, run off
v dispense: distribute, deal, administer, allot, dole out
v disperse: sprinkle, break up, scatter, dissipate
v display: exhibit, expose
v dispose: throw away, discard, throw out, toss away, cast aside, toss
v dispute: challenge, quarrel
v disregard: ignore, dismiss, snub, discount, brush aside, push aside
v disrupt: interrupt, cut off, break up
v disseminate: spread, circulate, distribute, diffuse
v dissipate: break up, scatter, disperse
v dissolve: fade out, break up
v distill: purify
v distinguish: recognize, make out, separate, discern, differentiate, tell
v distort: falsify, warp
v distribute: spread, deal, dispense, administer, allot, dole out
v distrust: mistrust, suspect
v disturb: trouble, upset, raise up, stir up
v dive: plunge
v divert: amuse, deviate
v divide: separate, split
v dog: chase, go after, trail, track
v dominate: prevail, predominate, rule, reign, master
v don: put on, get into
v doom: destine
v dot: stud
v down: consume
v doze: drowse
v draft: enlist
v drag: haul, cart
v drain: run out
v dramatize: pad, embellish
v draw: pull
v dread: fear
v dream: daydream, woolgather
v dress: clothe
v dribble: trickle
v drift: wander, float, roam, blow, rove, range
v drill: bore
v drown: submerge
v drum: beat
v dry: dry out
v dub: nickname
v duplicate: repeat
v dwell: live, lie in, lie, populate, brood, consist
v earn: make, bring in, realize, gain, garner
v ease: facilitate, comfort, alleviate
v echo: repeat, ring, resound, reverberate
v eclipse: overshadow
v edge: inch
v educate: train, develop, prepare
v efface: obliterate
v effect: effectuate, set up
v effectuate: effect, set up
v ejaculate: blurt
v eject: release, turn out, discharge
v elaborate: expound, enlarge
v elapse: pass, go by, slip away, go along
v elevate: lift, raise, promote, get up, bring up
v elicit: arouse, evoke, provoke, fire, raise, extract
v eliminate: get rid of, do away with
v elude: escape, evade
v emancipate: liberate
v embed: imbed, plant, implant
v embody: be, personify
v embrace: cover, hug, encompass
v emit: give out
v emphasize: stress, accentuate
v employ: use, apply, hire, utilize, engage
v empty: abandon, vacate
v enact: ordain, act out
v encamp: camp, camp out
v enchant: transport, enthrall
v enclose: envelop, wrap, hold in
v encompass: cover, embrace
v encounter: find, meet, see, run across, bump
v encourage: promote, advance, further, boost
v end: finish, cease, terminate, stop
v endanger: threaten, jeopardize, menace, imperil, expose
v endeavor: strive
v endorse: support, back, indorse, plump for
v endow: invest, gift
v endure: live, survive, bear, stand, suffer, tolerate
v enforce: impose, implement, apply
v engage: pursue, occupy
v engender: breed
v engulf: steep, immerse, engross, absorb
v enhance: heighten, raise
v enjoin: tell, order, say
v enjoy: savor, bask, relish
v enliven: inspire, animate
v enrol: enter, recruit, enroll
v enroll: enter, recruit, enrol
v ensue: result
v ensure: see, assure, insure, check, see to it, guarantee
v entail: mean, imply
v enter: come in, go into, get in, move into, go in, get into
v entitle: title
v entrust: intrust, trust, confide, commit
v enunciate: say, pronounce, articulate
v envelop: enclose, wrap
v envisage: imagine, conceive of
v envision: see, picture, visualize, fancy, figure, foresee
v epitomize: typify
v equal: be
v equate: compare
v equip: fit, fit out
v eradicate: eliminate, annihilate, wipe out
v erect: set up, put up, raise
v erode: gnaw, gnaw at
v err: drift, slip, stray
v erupt: break out
v escape: get away, break loose
v eschew: shun
v espouse: adopt, follow
v establish: set up, launch, found, institute, plant
v estimate: figure, guess, judge, calculate, reckon, gauge
v evade: sidestep, skirt, elude, hedge, dodge
v evaluate: assess, measure, appraise
v evidence: show, manifest, prove, certify, attest, demonstrate
v evoke: arouse, elicit, provoke, fire, raise
v evolve: develop
v exacerbate: aggravate
v exaggerate: magnify
v exalt: glorify, proclaim
v examine: study, analyze, analyse
v exceed: transcend, top, pass
v excel: stand out, surpass
v except: exclude, omit, leave out, leave off, demur
v exchange: change
v excite: stimulate
v exclaim: call out, cry, cry out, proclaim, shout, promulgate
v exclude: omit, leave out, keep out, shut out, leave off, except
v excuse: explain, pardon
v execute: accomplish, carry out, fulfill, carry through, fulfil, put to death
v exemplify: illustrate, represent
v exercise: do, exert, practice
v exert: exercise, maintain, wield
v exhaust: use up, eat up, run through, wipe out
v exhibit: display, expose
v exist: be
v expect: anticipate
v expedite: hasten
v expel: throw out
v expend: spend, use, drop
v experience: know, go through, live
v expire: die, perish, pass away, go, drop dead, run out
v explode: blow up, detonate, set off
v exploit: tap
v explore: search
v expose: disclose, reveal, discover, give away, break, let out
v expound: elaborate, enlarge
v express: show, utter
v extend: run, lead, go, pass, broaden
v extenuate: mitigate
v exterminate: kill off
v extract: pull out
v extrapolate: generalize, infer
v extricate: disentangle
v face: confront, face up
v facilitate: ease, alleviate
v fade: pass
v fail: go wrong, neglect, miscarry
v falsify: distort, warp
v falter: waver
v fancy: see, picture, visualize, envision, take to, figure
v fascinate: grip, intrigue, transfix
v fasten: fix, secure
v father: sire, beget, generate, bring forth
v fathom: penetrate
v favor: prefer
v fear: dread
v feature: have
v feel: find, experience
v fell: drop
v fetch: get, bring
v fete: celebrate
v fight: oppose, struggle, defend, fight down
v figure: estimate, enter, calculate, reckon, forecast, count on
v file: register
v fill: fill up
v film: take, shoot
v filter: separate out
v find: observe, notice, detect, discover, encounter, bump
v finger: feel
v finish: complete
v fire: open fire
v fit: suit, accommodate
v fix: repair, mend, restore
v flap: wave
v flare: flame up, burn up
v flash: wink, twinkle
v flaunt: show off, flash
v flicker: flutter, quiver
v flinch: cringe, shrink, wince, recoil, quail
v flip: toss, throw
v float: drift, blow
v flood: swamp
v flounder: stagger
v flourish: expand, thrive
v flow: run
v flush: blush, redden
v flutter: dart, flicker, flit, quiver
v fly: wing
v focus: center, concentrate, rivet, pore
v foil: thwart, frustrate, cross
v fold: turn up, fold up
v fool: gull
v forbid: prohibit, proscribe, veto, disallow
v force: coerce, pressure
v forecast: figure, estimate, calculate, reckon, count on
v foreclose: prevent, forestall, preclude, forbid
v forego: precede
v foresee: anticipate, envision, foreknow, counter
v forestall: prevent, preclude, foreclose, forbid
v forfeit: give up
v forge: invent, devise, formulate, fake, contrive
v form: make, organize
v formulate: invent, devise, develop, phrase, word, contrive
v forsake: desert, abandon
v fortify: strengthen, beef up
v forward: send on
v foster: further
v foul: contaminate
v found: establish, set up, launch, institute, plant
v frame: frame in, border
v free: release, liberate, loose
v freeze: stop dead
v frequent: patronize, shop, shop at
v fret: fuss
v frighten: scare
v front: face, look
v frustrate: thwart, foil, cross
v fulfil: accomplish, meet, carry out, fulfill, satisfy, fill
v fulfill: accomplish, carry out, carry through, fulfil, execute
v fumble: grope
v function: serve, operate, work, run, go
v furnish: provide, supply, render
v further: encourage, promote, foster, advance, boost
v fuse: mix, merge, coalesce, combine
v fuss: fret, mother
v gain: win, derive
v gamble: run a risk, take a chance, risk, chance, take chances, adventure
v gasp: pant, puff, heave
v gather: collect, pull together
v gauge: estimate, guess, judge, approximate
v gaze: stare
v generalize: extrapolate, infer
v generate: bring forth
v germinate: sprout
v gesticulate: gesture, motion
v gesture: gesticulate, motion
v get: become, acquire, go
v giggle: titter
v give: afford, yield
v glance: glint
v glare: glower
v gleam: shine, glitter, glint, glisten
v glean: reap, harvest
v glint: glance, shine, glitter, glisten, gleam
v glisten: shine, glitter, glint, gleam
v glitter: shine, glint, glisten, gleam
v glorify: exalt, proclaim
v glow: shine
v glower: glare
v glue: paste
v gnaw: erode, gnaw at
v goad: spur
v govern: regulate, order
v grab: catch, take hold of
v grant: allow, award
v grapple: deal, cope, get by, manage, grip, make out
v grasp: comprehend, hold on, apprehend, get the picture, savvy
v gratify: satisfy
v greet: recognize
v grip: grapple
v groan: moan
v groom: prepare, train
v grope: fumble
v ground: anchor
v grovel: cringe
v grow: turn
v growl: grumble, rumble
v grumble: mutter, scold
v guess: think, suppose, imagine, reckon
v guide: take, lead, maneuver, point, direct, steer
v gull: fool, take in, dupe
v gush: spout
v hail: acclaim, herald
v halt: stop, block
v hamper: hinder
v hand: pass, give, turn over, pass on, reach
v handle: treat, manage, care, deal, do by
v hanker: long, yearn
v happen: occur, take place, go on, pass, come about
v harbor: hold, nurse
v harrow: disk
v harvest: reap, glean
v hasten: race, hurry, speed, rush
v hatch: think of, dream up, think up
v hate: detest
v haul: drag, cart
v haunt: obsess, stalk
v have: hold, have got
v hawk: peddle, huckster
v head: lead
v heal: mend
v heap: pile
v heed: listen
v heighten: enhance, rise, raise
v help: aid, assist
v herald: hail, acclaim, announce
v herd: crowd
v hesitate: pause, waver
v hide: conceal
v highlight: spotlight, play up
v hijack: commandeer
v hinder: block, impede, obstruct, hamper
v hint: suggest
v hire: employ, engage
v hit: strike, impinge on, run into, collide with
v hitch: catch, limp, hobble
v hobble: limp, hitch
v hold: keep, maintain
v holler: call, scream, shout, yell, cry, holler out
v honor: honour, reward
v hook: rob, soak
v hop: skip, hop-skip
v hope: trust, desire
v howl: wail, roar
v huddle: huddle together, cower
v hug: embrace
v humble: humiliate
v humiliate: humble
v hunch: hunch over
v hunt: track down, hunt down, trace
v hurl: lunge, thrust, hurtle, cast
v hurry: hasten, speed, rush
v hurt: ache, smart
v hurtle: lunge, thrust, hurl
v hush: silence, still, shut up
v hustle: bustle, bustle about
v hypothesize: suppose, speculate, theorize, conjecture
v identify: place
v idle: laze
v ignite: light, erupt, catch fire, stir up
v ignore: dismiss, disregard, snub, discount, brush aside, push aside
v illuminate: light, illumine, shed light on, sort out, light up, clear
v illumine: light, illuminate, light up
v illustrate: exemplify
v imagine: conceive of, envisage
v imbed: embed, plant, implant
v imitate: simulate, copy
v immerse: plunge, engulf, steep, engross, absorb
v impair: mar
v impart: give, leave, pass on
v impede: hinder, obstruct, occlude
v impersonate: portray
v implement: enforce, carry out, put through, apply
v implore: beg, pray
v imply: connote
v impose: inflict, enforce, visit, bring down
v impress: strike, move
v imprint: form
v imprison: jail
v improve: amend, better
v impute: attribute, assign, ascribe
v incite: prompt, motivate, move, instigate
v incline: tend, lean, run
v incorporate: integrate
v indicate: show, signal, bespeak, point
v induce: make, cause, have, get, bring on, stimulate
v induct: seat
v infer: derive, deduce, generalize, extrapolate
v infest: overrun
v inflate: expand
v inflict: impose, visit, bring down
v influence: determine, shape, regulate
v ingest: have, take, absorb, consume, assimilate, take in
v inhabit: live, populate, dwell
v initiate: start, originate
v injure: wound
v inquire: wonder, ask, enquire
v inscribe: engrave
v insert: put in, introduce, stick in
v inspire: prompt, animate, enliven
v instal: install, set up, put in
v install: instal, set up, put in
v instigate: incite
v institute: establish, found, bring, plant
v instruct: teach, learn
v insulate: isolate
v insult: affront
v insure: see, check, assure, see to it, ensure, guarantee
v integrate: incorporate, mix
v intend: mean, think
v intensify: compound, step up, deepen
v intercept: stop
v interest: concern, occupy
v interfere: intervene, step in
v interject: come in, interpose, throw in
v interlace: twine, intertwine, lace
v interpose: interject, come in, throw in
v interpret: construe
v interrupt: cut off, disrupt, disturb, break up
v intersect: cross
v intertwine: twine, interlace, lace
v intervene: interfere, step in
v interview: question
v interweave: weave
v intimate: suggest
v intone: chant
v introduce: present, acquaint
v intrude: trespass
v invade: occupy, obtrude upon, encroach upon
v invent: devise, formulate, contrive, forge, manufacture, make up
v invest: put, endow, commit, gift
v investigate: look into
v invite: ask for
v invoke: raise, conjure up, bring up, arouse, stir
v involve: regard, affect
v irrigate: water
v irritate: bother, annoy, vex
v isolate: insulate
v issue: publish, supply, release, bring out
v itch: scratch
v itemize: enumerate
v jab: poke
v jabber: spout
v jam: pile, throng
v jar: jolt
v jaw: chat, chatter, visit
v jeer: scoff
v jeopardize: threaten, endanger, stake, menace, imperil
v jerk: yank
v joke: jest
v judge: estimate, guess, gauge, approximate
v jump: leap, spring, bound
v justify: vindicate
v keep: hold, maintain
v kid: pull the leg of, chaff, banter
v knock: bump
v label: mark, tag, pronounce, judge
v labor: push, drive
v lack: miss
v lag: fall back
v lam: run, run away, thrash, flail
v land: set down
v lap: lick
v lapse: sink, pass
v lash: whip, slash, flog
v last: live, survive, endure, go, hold up
v launch: establish, set up, found
v lavish: shower
v lay: put, place, set, put down, position
v lead: take, guide, direct, conduct
v lean: tilt
v leap: jump, spring, bound
v learn: hear, see, discover, find out, pick up, get word
v lease: rent
v leave: go away
v lecture: rebuke, scold, chide, berate
v lend: contribute, add, loan, bring, impart
v lessen: decrease, diminish, fall
v let: allow, permit
v levy: impose
v liberate: free, release, emancipate, loose
v license: certify
v lick: lap
v lift: raise, get up, elevate, bring up
v light: illuminate, illumine, light up
v like: wish, care
v limit: confine, restrict, bound, throttle, circumscribe
v limp: hobble, hitch
v line: run along
v linger: hang around, loiter, tarry, lurk, mill about
v link: associate, relate, connect
v lionize: celebrate
v liquidate: knock off, do in
v live: populate, dwell, inhabit
v load: load up
v loan: lend
v loathe: abhor
v locate: situate, turn up
v lock: mesh
v lodge: stick, deposit, charge, file, wedge
v long: yearn, hanker
v look: seem, appear
v loom: tower, hulk, brood
v loose: free, release, liberate, unleash
v love: enjoy
v lower: let down, take down, bring down, get down
v lunge: thrust, hurl, hurtle
v lurch: stagger, pitch, reel, careen
v lure: tempt, entice
v lurk: skulk
v magnify: amplify
v maintain: keep, hold, preserve, keep up
v make: do, get
v maneuver: guide, point, steer, head
v manifest: evidence, certify, attest, demonstrate
v manufacture: construct, invent, make up
v mar: impair
v mark: tag, label, distinguish, differentiate
v marry: get married, wed
v marshal: mobilize
v marvel: wonder
v master: overcome, surmount
v match: correspond, fit, agree
v materialize: happen
v matter: count, weigh
v mature: grow
v mean: entail, intend, imply
v meditate: reflect, muse, ponder, think over, chew over, contemplate
v meet: see, encounter, run across
v melt: thaw, unthaw
v memorize: learn
v menace: threaten, endanger, jeopardize, imperil
v mend: repair, fix, restore
v mention: refer, cite, name
v merge: unite, mix, unify, fuse, coalesce, combine
v merit: deserve
v mesh: lock, interlock
v mingle: unify
v misconstrue: misunderstand
v misplace: mislay
v miss: lose
v mistrust: distrust, suspect
v misunderstand: misconstrue
v mitigate: extenuate
v mix: fuse, merge, coalesce, combine
v moan: groan
v mobilize: rally, marshal
v model: pattern, mold, mould
v modernize: develop, overhaul
v moisten: dampen
v mold: model, mould
v mop: mop up, wipe up
v mother: fuss
v motivate: prompt, move, incite
v mount: rise, climb, wax
v mouth: speak, talk, utter
v move: go, travel
v muffle: stifle, smother
v mumble: mutter
v murder: bump off
v muse: reflect, ponder, meditate, think over, chew over, contemplate
v muster: rally
v mutter: mumble, grumble
v nab: arrest, pick up, nail, collar, apprehend
v name: call
v narrow: specialize, pin down, narrow down, specify
v near: approach, come on, go up, draw near, come near
v necessitate: require, need, demand, take, call for, involve
v need: require, demand, take, call for, want, necessitate
v neglect: fail, miss, leave out, overlook
v negotiate: talk terms
v nestle: snuggle, cuddle, nuzzle, draw close
v nip: pinch
v nose: poke, pry
v note: remark, notice, observe, mention, mark, take note
v notice: find, observe, note, detect, discover, mark
v notify: advise, send word
v nourish: sustain
v nudge: prod, poke at
v number: total, amount, come
v nurse: hold, harbor
v oblige: compel
v obliterate: blot out, efface
v obscure: befog, cloud, blur
v observe: find, notice, detect, discover
v obsess: haunt
v obstruct: block, hinder, impede, occlude
v occupy: busy, reside
v occur: happen, take place, go on, pass, come about, come
v offer: proffer
v officiate: function
v offset: set off
v omit: exclude, leave out, leave off, except
v open: open up
v operate: run, work, function, go
v oppose: fight, defend, fight down
v orbit: revolve
v ordain: enact
v order: tell, say, enjoin
v organize: form
v orient: point
v originate: arise, start, develop, initiate, spring up, grow
v oust: throw out, drum out
v outdo: exceed, surpass, outstrip
v outline: sketch
v outrage: shock, scandalize
v outsmart: overreach
v overcome: defeat, sweep over, surmount, master, overwhelm, overpower
v overflow: run over, brim over
v overhaul: pass, modernize, overtake
v overhear: catch
v overlook: look out on, look across, look out over
v overpower: overcome, sweep over, overwhelm
v overreach: outsmart
v override: reverse, overturn
v overrun: infest
v overtake: catch up with, pass, catch, overhaul
v overthrow: subvert, bring down
v overturn: override, turn over, knock over, reverse
v overwhelm: overcome, sweep over, overpower
v own: have, possess
v pacify: appease, conciliate, mollify, gentle
v package: box
v pain: trouble
v pair: match, couple, mate
v pant: gasp, puff, heave
v parade: march
v pardon: excuse
v part: break up, split, separate
v participate: take part
v paste: glue
v patch: piece
v patrol: police
v patronize: sponsor, shop, shop at, frequent
v pattern: model
v pause: hesitate
v peddle: hawk, huckster
v pelt: pepper
v pen: write, compose
v penalize: punish
v penetrate: fathom
v pepper: pelt
v perceive: comprehend
v perch: roost, rest
v perform: do
v perish: die, pass away, go, expire, drop dead, croak
v permeate: pervade, diffuse
v permit: allow, let
v perpetrate: commit, pull
v persist: prevail, hang on, run, hold on, persevere, hang in
v personify: be, embody
v persuade: sway
v pertain: concern, refer, relate, come to, touch, bear on
v pervade: permeate, diffuse
v pester: tease, badger, bug
v phone: call, telephone, call up, ring
v photograph: shoot
v phrase: formulate, word, articulate
v picture: see, show, depict, visualize, envision, fancy
v pile: heap, throng, jam
v pilfer: purloin, abstract, lift
v pilot: fly
v pinch: nip
v pioneer: open up
v pitch: toss, lurch
v pity: sympathize with, feel for
v place: put, set, lay, position
v plague: beset, blight, harry, chivy, provoke
v plan: be after
v plant: set
v please: delight
v plod: trudge
v plot: diagram
v plow: deal, cover, treat, handle, turn
v pluck: pull off, pick off
v plunge: dive, immerse
v point: indicate, show
v poise: brace
v poke: jab, pry, nose
v police: patrol
v polish: refine, smooth
v ponder: reflect, muse, meditate, think over, chew over, contemplate
v pop: bug out
v populate: live, dwell, inhabit
v portray: depict
v pose: present, sit
v position: put, place, set, lay
v possess: have, own
v postpone: defer, shelve, set back, put off
v postulate: contend
v pounce: swoop
v pound: ram, thump
v pour: swarm, stream, pour out
v practice: do, exercise, rehearse, drill, practise
v prance: swagger, strut
v preach: advocate
v precede: forego
v preclude: prevent, forestall, foreclose, forbid
v predict: promise, anticipate
v predominate: dominate, prevail, rule, reign
v prefer: choose
v prepare: set, ready
v prescribe: dictate, order
v present: show, demonstrate, exhibit
v preserve: maintain, continue, save, uphold, keep up, carry on
v presume: assume, take for granted
v pretend: affect, feign, dissemble
v prevail: persist, dominate, predominate, rule, hold, run
v prevent: keep, forestall, preclude, foreclose, forbid
v pride: congratulate
v print: publish
v probe: examine, dig into
v proceed: continue, go on, go forward, carry on
v process: treat
v proclaim: exclaim, promulgate
v procure: secure
v prod: nudge, poke at, egg on
v produce: make, bring forth
v proffer: offer
v profit: benefit, gain
v progress: go on, move on, march on, come on, come along, advance
v prohibit: forbid, proscribe, veto, disallow
v project: protrude, stick out, jut out
v prolong: extend, draw out
v promise: assure
v promote: encourage, advance, further, boost
v prompt: motivate, move, incite
v promulgate: proclaim, exclaim
v pronounce: say, label, articulate, enunciate, judge
v propose: suggest, advise, project
v proscribe: forbid, prohibit, veto, disallow
v prostrate: bow down
v protest: resist
v protrude: project, stick out, jut out
v prove: show, turn out, establish, demonstrate
v provide: supply, furnish, render
v provoke: arouse, evoke, elicit, fire, raise
v pry: prise, jimmy
v publicize: advertise
v publish: issue, print, release, bring out
v puff: pant, gasp, draw, drag, heave
v pull: draw
v pulse: throb, pulsate
v punish: penalize
v purchase: buy
v purify: distill
v purl: swirl, eddy, whirl
v purport: aim, propose
v pursue: engage, go after
v push: force
v put: place, set, lay, position
v puzzle: bewilder, mystify, baffle, amaze
v quake: quiver
v qualify: measure up
v quarrel: dispute
v quell: squelch
v query: question
v quicken: accelerate, speed, speed up
v quiet: calm, quiet down, still
v quit: stop, cease, discontinue, give up, lay off
v quiver: quake
v quote: cite
v race: rush, speed, hasten
v rack: single-foot
v rage: storm
v rail: inveigh
v raise: lift, get up, elevate, bring up
v rally: mobilize
v ram: drive, pound, force, crash
v ramble: ramble on, jog
v range: run
v rank: rate, place, grade
v ransack: despoil, rifle, comb
v rate: place, rank, grade
v ratify: sign
v rationalize: excuse
v reach: arrive at, hit, gain, make
v react: respond
v ready: prepare, cook, fix, set
v realize: see, recognize, understand
v reap: draw, harvest, glean
v reappear: re-emerge
v rear: raise, bring up
v reason: argue, conclude
v reassert: confirm
v reassure: assure
v rebel: rise
v rebuff: repulse, snub, repel
v rebuild: reconstruct
v rebuke: scold, chide, berate, lecture
v rebut: refute
v recall: remember, think, recollect, call back, call up
v recede: retreat, withdraw, draw back, move back, retire, pull away
v receive: have
v recite: declaim
v reckon: think, guess, suppose, figure, imagine, estimate
v recognize: realize, know, make out, discern, distinguish, pick out
v recoil: flinch, cringe, shrink, wince, quail
v recollect: remember, recall, think, call back, call up
v recommend: urge, advocate
v reconstruct: rebuild
v record: enter
v recount: tell
v recover: retrieve, regain
v recreate: revive, vivify
v recruit: enter, enroll, enrol
v recur: repeat
v redeem: save
v reduce: cut, cut down, cut back, trim, trim down
v reek: smack
v reel: spin, stagger, lurch, spin around, careen, whirl
v reexamine: review
v refer: mention, concern, cite, pertain, relate, come to
v refine: polish, complicate
v reflect: muse, ponder, meditate, think over, chew over, contemplate
v refuse: decline
v refute: rebut
v regain: retrieve, recover
v regard: consider, see, view, reckon
v register: file
v regulate: govern, order
v rehearse: practice, practise
v reign: dominate, prevail, predominate, rule
v reinforce: reenforce
v reiterate: repeat, restate
v reject: refuse, turn down, decline, pass up
v rejoin: retort, return, come back
v relate: concern, associate, refer, link, pertain, connect
v release: let go, let go of
v relegate: submit, demote
v relent: yield
v relieve: take over, alleviate
v relinquish: give up
v relish: enjoy, savor, bask
v remain: stay, rest
v remake: refashion, make over
v remark: note, observe, mention
v remember: think of, recall, think, recollect, call back, call up
v remove: take, take away
v rend: rip, rive
v render: provide, supply, furnish
v rent: lease
v reorganize: regroup
v repair: fix, mend, restore
v repay: refund, return
v repeal: rescind, lift
v repeat: reiterate, restate
v repel: drive, push back
v replace: supersede, supplant
v replenish: refill
v reply: answer, respond
v report: describe
v represent: symbolize, stand for
v repress: subdue, quash, subjugate
v repulse: repel, rebuff
v repute: regard as, think of, look upon, take to be, look on
v request: call for
v require: need, demand, take, call for, necessitate, involve
v rescind: repeal, lift
v rescue: deliver
v reserve: appropriate, allow, set aside
v resign: vacate, give up
v resist: refuse, hold out, defy
v resolve: settle, decide, conclude
v respect: observe, honor, esteem, value
v respond: react
v restate: repeat, reiterate
v restrain: hold
v restrict: limit, curtail, confine, bound, throttle
v result: lead, leave, ensue
v retain: hold, keep, continue
v retaliate: revenge, avenge
v retire: withdraw
v retort: return, come back, rejoin
v retrace: trace
v retract: forswear
v retreat: withdraw, draw back, recede, move back, retire, pull away
v retrieve: recover, regain
v reveal: disclose, bring out, expose, discover, give away, break
v revel: enjoy, delight
v revere: worship, idolize, reverence, venerate
v reverse: turn
v revert: return, turn back
v review: reexamine
v revive: recreate, vivify
v revolve: rotate, orbit
v reward: honor, honour, reinforce
v rid: free
v ride: sit
v ridicule: laugh at, make fun, poke fun
v ring: echo, resound, reverberate
v rinse: wash
v rip: rend, rive
v ripple: ruffle, undulate
v rise: go up, move up, lift, come up, arise
v risk: run a risk, take a chance, gamble, chance, take chances, adventure
v rival: match, equal, touch
v rivet: focus, center, concentrate, pore
v roam: wander, drift, stray, rove, range
v roar: wail, howl, thunder
v rob: soak, hook
v rock: shake, sway
v roll: turn over
v romp: cavort, run around, frolic, skylark
v rotate: revolve
v round: round off
v rove: wander, roam, drift, stray, range
v ruffle: ripple, undulate
v ruin: destroy
v rule: govern
v rumble: growl, grumble
v rush: race, speed, hasten
v sacrifice: give
v sag: droop
v salute: toast, drink
v salvage: save, relieve
v sample: taste, try
v sanction: approve
v satisfy: meet, live up to, fill, fulfill, gratify, fulfil
v save: preserve, salvage, relieve
v savor: enjoy, bask, relish
v say: tell, state
v scamper: scuttle, scurry
v scan: run down
v scare: frighten, scare off, daunt, frighten away
v scatter: break up, disperse, dissipate
v scoff: jeer
v scold: grumble, rebuke, chide, berate, lecture
v scoot: dash, shoot, flash, dart, scud
v score: hit, rack up
v scorn: despise, disdain, spurn, reject
v scour: scrub
v scout: reconnoiter
v scramble: clamber, struggle
v scratch: rub, scrape
v scream: call, shout, yell, cry, holler, shout out
v screech: creak, squeak
v screen: test
v scrub: scour
v scrutinize: size up, take stock
v scurry: scamper, scuttle
v scuttle: scamper, scurry
v seal: seal off
v sear: scorch
v search: look for, seek, look
v seat: sit down
v secede: splinter
v secure: procure
v seek: try, look for, attempt, search, essay
v seem: look, appear
v seize: clutch
v select: choose, take, pick out
v send: direct
v sense: feel
v sentence: condemn
v separate: divide
v serve: function
v service: serve
v set: put, place, lay, determine, position
v settle: settle down
v sew: run up, stitch
v shade: fill in
v shamble: shuffle
v shape: determine, form, influence, regulate
v shed: throw, shake off, throw off, cast off, pour forth
v shift: switch, change over
v shine: reflect, glitter, glint, glisten, gleam, beam
v ship: send
v shirk: shrink from
v shiver: shudder
v shock: outrage, take aback, scandalize
v shoot: hit
v shorten: abridge, foreshorten
v shout: call, scream, yell, cry, holler, shout out
v show: present, demonstrate, exhibit
v shower: lavish
v shriek: shrill, pipe
v shrill: shriek, pipe
v shrink: flinch, cringe, wince, recoil, reduce, wither
v shudder: shiver
v shuffle: shamble
v shun: eschew
v shut: close
v sicken: come down
v sidestep: evade, skirt, hedge, dodge
v sidle: sashay
v sift: strain
v sign: ratify, subscribe
v signal: indicate, sign, bespeak, point
v signify: mean, stand for
v silence: hush, still, shut up
v simulate: imitate, copy
v sink: drop
v sire: beget, father, generate, bring forth
v sit: sit down
v situate: locate, deposit
v sketch: outline
v skip: pass over
v skirt: evade, sidestep, hedge, dodge
v slacken: slow, slow down, slow up
v slam: bang
v slant: weight
v slash: whip, lash, cut down, flog, gash
v slaughter: butcher, massacre
v sleep: slumber
v slice: slit, slice up
v slide: slip
v sling: catapult
v slip: steal
v slit: slice
v slop: spill, splash
v slow: slow down, decelerate
v slumber: sleep
v smack: reek
v smash: blast, dash, nail, boom
v smother: suffocate, surround, stifle, muffle
v snap: snarl
v snarl: snap
v snatch: snatch up, snap
v sneak: creep
v snicker: snigger
v snub: ignore, disregard, rebuff, repel
v snuggle: nestle, cuddle, nuzzle, draw close
v soar: surge
v soften: break
v solace: comfort, soothe, console
v solicit: beg
v solve: figure out, puzzle out, lick
v soothe: comfort, solace, console
v sorb: take up
v sound: go
v span: sweep, traverse
v spare: give up, save, dispense with
v spark: trigger, set off, activate, touch off, actuate
v speak: talk, mouth, utter
v specialize: specify, narrow
v specify: set, determine, fix, stipulate, condition
v speculate: suppose, hypothesize, theorize, conjecture
v speed: rush, race, accelerate, hasten, speed up, quicken
v spell: write
v spend: pass, expend, drop
v spill: slop
v spin: spin around, whirl, reel
v spiral: coil, gyrate
v splash: sprinkle, slop, spatter
v splinter: secede
v split: divide, separate, cleave
v spoil: louse up, fuck up, flub, muck up, foul up, mess up
v sponsor: patronize
v spot: spy
v spout: gush, jabber
v sprawl: straggle
v spread: distribute
v spring: leap, jump, form, take form, take shape, bound
v sprinkle: scatter, disperse
v sprout: germinate
v spur: goad
v spurn: reject, scorn, disdain
v spy: spot, snoop
v squall: call, scream, shout, yell, cry, holler
v square: square up
v squat: crouch, hunker down
v squeak: creak, screech
v squeeze: crush, force, squash, mash
v squirm: twist, writhe, wriggle
v stage: present, arrange
v stagger: lurch, flounder, reel, careen
v stake: bet on, jeopardize
v stalk: haunt
v stall: drag one's feet, procrastinate
v stammer: stutter, falter
v stamp: stomp
v stand: stand up
v stare: gaze
v start: begin, set out, commence, start out
v state: say, tell
v station: send, post
v stay: remain, rest, stick, stay put
v steady: brace, calm
v steep: engulf, immerse, engross, absorb
v steer: guide, maneuver, point, head
v step: tread
v stick: stay, bind, stick to, deposit, stay put, lodge
v stifle: dampen, muffle, smother
v still: calm, silence, quiet, hush, shut up
v stimulate: make, cause, have, get, induce, excite
v sting: burn, bite
v stipulate: specify, condition
v stir: budge, shift
v stock: carry
v stomp: stamp
v stoop: crouch, bend
v stop: cease, quit, halt, discontinue, give up, lay off
v store: put in, salt away
v storm: rage
v straddle: range
v straggle: sprawl
v strain: strive
v strand: maroon
v strangle: throttle
v stray: wander, roam, drift, rove, range, err
v stream: pour, swarm
v strengthen: fortify, beef up
v stress: emphasize, accentuate
v stretch: extend
v strike: impress, move
v strip: deprive, divest
v strive: strain, endeavor
v struggle: fight
v strut: swagger, prance
v stud: dot
v study: analyze, examine, analyse
v stuff: thrust
v stumble: trip, falter
v stutter: stammer, falter
v subdue: conquer, suppress, repress, quash, subjugate, stamp down
v submerge: drown
v submit: state, put forward
v subscribe: sign, support
v subside: lessen
v substantiate: confirm, affirm, support, corroborate
v substitute: replace, sub, stand in
v subtract: deduct
v succeed: follow
v succumb: knuckle under, give in
v suffer: have, sustain, endure
v suffice: do
v suffocate: smother
v suggest: propose, advise
v suit: fit, accommodate
v summarize: sum up
v superimpose: lay over
v supersede: replace, supplant
v supervise: manage, superintend
v supplant: replace, supersede
v supply: provide, furnish, render
v support: back up
v suppose: think, guess, say, imagine, reckon, speculate
v suppress: conquer, subdue, stamp down
v surge: heave
v surmise: suspect
v surmount: overcome, master
v surpass: pass, pass by, go by, stand out, exceed, excel
v surrender: give up
v surround: border, smother
v survive: live, last, make it, endure, go, hold up
v suspect: distrust, mistrust, surmise
v sustain: keep up
v swagger: prance, strut
v swallow: get down
v swamp: flood
v swarm: pour, stream, teem
v sway: persuade, swing, rock, shake
v swear: curse, assert, affirm, cuss, blaspheme, swan
v sweep: sail, brush
v swerve: veer, cut, curve, sheer
v swindle: defraud, con
v swing: sway
v swirl: whirl, twirl, purl, twiddle, eddy
v switch: trade, exchange, swap
v swivel: pivot
v swoop: pounce
v symbolize: represent, stand for
v sympathize: understand
v synthesize: synthesise
v tackle: undertake, take on
v tag: mark, label
v talk: speak
v taste: savor
v taunt: tease, tantalize, bait, ride
v teach: instruct, learn
v tear: snap, rupture
v tease: taunt, badger, pester, bug, tantalize, bait
v telegraph: wire, cable
v telephone: call, phone, call up, ring
v tell: say, state
v tempt: lure, entice
v tend: incline, lean, run
v terminate: end, finish, cease, stop
v test: try, try out, screen, examine
v testify: take the stand, bear witness
v thank: give thanks
v thaw: melt, unthaw
v theorize: suppose, speculate, hypothesize, conjecture
v think: believe, guess, suppose, imagine, conceive, reckon
v thrash: toss, lam, flail, thresh, thrash about
v thread: wind, meander
v threaten: endanger, jeopardize, menace, imperil
v thrive: flourish, expand, prosper
v throb: pulsate, pulse
v throttle: limit, confine, restrict, strangle, bound
v thrust: stuff
v thud: thump
v thump: beat, pound, thud
v thunder: roar
v thwart: frustrate, foil, cross
v tick: click
v tilt: lean
v time: clock
v tire: tire out, wear out, weary, wear down
v title: entitle
v titter: giggle
v toil: labor, grind
v tolerate: bear, stand, suffer, endure, put up, brook
v tool: tool around
v top: exceed, transcend, pass, clear
v topple: tumble
v torture: torment
v toss: pitch, flip
v total: number, amount, come
v tower: loom, hulk
v trace: draw, follow, describe
v track: chase, go after, trail, dog
v trade: merchandise, trade in
v trail: chase, go after, dog, drag, get behind, hang back
v train: develop, educate, prepare
v trample: tread
v transcend: exceed, top, pass
v transfer: transplant, reassign
v transform: transmute
v translate: interpret
v transmit: carry, send, broadcast, conduct, channel, beam
v transmute: transform
v transplant: transfer
v transport: carry
v transpose: commute
v trap: snare
v travel: go, move
v traverse: cross, cover, get over, cut across, pass over, cut through
v tread: step, trample
v treat: handle, process, do by
v trespass: intrude
v trigger: spark, set off, activate, touch off, actuate
v trip: stumble
v trouble: disturb, bother, upset, put out, perturb
v trudge: plod
v try: attempt, seek, essay
v tuck: insert
v tumble: topple
v tunnel: burrow
v twine: interlace, intertwine, lace
v twirl: whirl, swirl, twiddle
v twist: writhe, bend, squirm, wriggle
v twitch: jerk
v typify: epitomize
v underestimate: underrate
v underline: underscore, emphasize
v undermine: weaken
v underscore: underline, emphasize
v understate: minimize
v undertake: attempt, set about
v underwrite: insure, cover
v undress: strip, disrobe
v unfold: blossom
v unify: merge, mingle, unite
v unite: merge, unify
v unleash: loose
v unload: drop
v untie: unlace
v uphold: continue, preserve, carry on
v upset: disturb, trouble
v urge: recommend, advocate, press
v use: apply, employ, utilize
v usher: show
v usurp: take over
v utilize: use, apply, employ
v utter: express, let out, let loose
v vacate: resign, abandon, give up, empty
v value: respect, appreciate, prize, treasure, esteem
v vanish: disappear
v vary: change, depart, alter, deviate
v veer: swerve, cut, curve, sheer
v vent: give vent
v venture: guess, hazard
v vest: enthrone
v veto: forbid, prohibit, proscribe, disallow
v vie: compete, contend
v view: consider, see, regard, look at, reckon
v violate: go against, break, transgress, breach
v visit: see, travel to
v visualize: see, picture, envision, fancy, figure
v vivify: revive, recreate
v volunteer: offer
v wag: waggle
v wail: roar, howl, whimper
v wake: awaken, wake up, awake, arouse, come alive
v wallop: whack
v wander: roam, drift, stray, rove, range
v wane: go down, decline
v want: desire
v warm: warm up
v warp: distort, falsify, buckle
v wash: rinse
v watch: follow, keep an eye on, observe, watch over
v water: irrigate
v wave: beckon
v waver: hesitate, falter
v wax: mount, rise, climb
v wear: have on
v weave: interweave
v wed: marry, get married
v weep: cry
v weight: weight down, slant
v well: swell
v whack: wallop
v wheel: roll
v whip: lash, slash, flog
v whirl: swirl, twirl, twiddle
v whiz: whir
v wield: exert, maintain, handle
v wiggle: joggle
v win: gain
v wince: flinch, cringe, shrink, recoil, quail
v wind: wrap, thread, roll, meander, curve
v wing: fly
v wink: flash, twinkle
v wire: telegraph, cable
v wish: like, care
v withdraw: retreat, draw back, recede, move back, retire, pull away
v withstand: defy
v witness: see, find
v wonder: inquire, question
v woo: court
v word: formulate, phrase, articulate
v work: do work
v worship: revere, idolize
v wound: injure
v wrap: wind, roll, wrap up
v wreck: wrack
v wriggle: twist, writhe, squirm
v wrinkle: crease
v write: compose, pen
v writhe: twist, squirm, wriggle
v yank: jerk
v yearn: long, hanker
v yell: call, scream, shout, cry, holler, shout out
v yelp: yap
v yield: give, afford, give way
n abandonment: desertion, defection
n abdomen: belly, stomach
n ability: power
n abode: home, residence, dwelling, dwelling house
n abstract: abstraction
n abstraction: abstract
n accelerator: throttle, gas
n acceptance: adoption
n access: approach
n accessory: supplement, accouterment
n accompaniment: support
n accomplishment: achievement
n account: history, report, story
n accretion: accumulation
n accumulation: collection, accretion, aggregation
n accuracy: truth
n ace: one, 1, unity
n acetonemia: ketosis
n achievement: accomplishment
n acquaintance: familiarity, friend
n acquiescence: assent
n acreage: land area
n acres: estate, land
n act: human action
n acting: playacting
n activity: action
n actor: player
n adherent: disciple
n adjustment: alteration, modification
n administration: organization, establishment, disposal, brass
n admonition: warning, word of advice
n adoption: acceptance
n adult: grownup
n advance: improvement, progress, progression, betterment
n adventure: escapade
n advertisement: advertising, ad
n advertising: ad, advertisement
n advocate: proponent
n affair: matter, thing
n affiliation: tie, association
n affluence: richness
n agency: office, bureau, authority
n agenda: schedule
n aggression: aggressiveness
n aggressiveness: aggression
n aggressor: attacker
n agony: suffering, torment
n agreement: understanding, correspondence
n agriculture: farming, husbandry
n aid: assistance, help, assist
n aide: auxiliary
n ailment: complaint
n aim: purpose, objective, intention, intent, object, target
n airplane: plane
n airs: pose
n alarm: dismay, consternation
n alertness: vigilance
n alien: foreigner
n alignment: coalition
n allegory: parable
n allocation: allotment
n allotment: allocation
n ally: friend
n alteration: change, adjustment, modification
n altercation: fracas
n alternative: choice
n altitude: height
n amazement: astonishment
n ambition: dream
n ambush: ambuscade, trap
n ammo: ammunition
n ammunition: ammo
n amount: sum, sum of money, amount of money
n amusement: entertainment
n anatomy: figure, form, flesh, shape, frame, human body
n ancestor: antecedent
n ancestry: lineage, line, pedigree, blood, stock
n anchor: backbone
n andrena: mining bee
n anguish: torment, torture
n animal: creature, beast
n annihilation: obliteration
n announcement: proclamation
n annoyance: irritation, vexation
n answer: result, reply, solution, response
n antagonist: opponent, adversary
n antecedent: ancestor
n anticipation: prediction, expectancy
n antipathy: distaste, aversion
n apothecary: pharmacist, chemist
n apparatus: setup
n appeal: charm, prayer
n applause: clapping
n applicability: pertinence
n appreciation: hold
n apprehension: understanding, dread
n approach: coming, attack
n approval: blessing
n approximation: estimate, idea
n arc: spark, discharge, electric discharge
n architect: designer
n ardor: zeal
n area: country
n argument: statement, controversy, contention
n aristocracy: nobility, gentry
n arms: weapons system, munition
n army: regular army
n arrangement: agreement
n artillery: gun
n arts: liberal arts
n aspect: facet
n ass: seat, bottom, buttocks, rear end, tail, behind
n assemblage: gathering
n assent: acquiescence
n assessment: appraisal
n assist: assistance, help, aid
n assistance: help, aid, assist
n assistant: help, helper
n assumption: premise
n assurance: confidence, self-confidence, authority
n astonishment: amazement
n asynchrony: desynchronizing
n atmosphere: ambiance
n attack: onslaught, onrush
n attacker: aggressor
n attempt: effort, try, endeavor
n attic: loft
n attire: dress, garb
n attorney: lawyer
n attribute: dimension
n audacity: temerity
n author: writer
n authorities: government, regime
n authority: potency
n authorization: mandate
n auto: car, automobile, motorcar
n automobile: car, auto, motorcar
n autumn: fall
n auxiliary: aide
n avail: help
n average: norm
n award: awarding
n awareness: consciousness, cognizance
n axe: ax
n babe: baby, infant
n baby: babe, infant
n backbone: guts, anchor
n background: ground
n backing: patronage
n backstage: wing, offstage
n backwoods: back country
n bad: badness
n badness: bad
n ballot: vote, voting
n balustrade: banister
n band: circle, lot, set
n bang: smash, clap, bash, belt, blast
n banister: balustrade
n banquet: feast
n bar: saloon, ginmill
n bargain: deal
n barrel: gun barrel
n barrier: roadblock
n bartender: barkeep
n baseball: baseball game
n basement: cellar
n basis: base, ground, groundwork
n bastard: son of a bitch, prick
n bat: at-bat
n bathing: washup
n bathtub: tub
n batter: slugger, hitter
n battle: fight, engagement, conflict
n battlefield: field, field of battle, battleground
n beard: whiskers
n bearer: carrier, toter
n bearing: comportment, presence, mien
n beast: animal, creature, brute, wildcat
n beat: rhythm, heartbeat, round, pulse
n beef: beef cattle
n beginning: start, outset, first, kickoff
n behavior: conduct
n being: existence, organism
n belch: belching
n belching: belch
n belief: feeling, impression, notion
n believer: worshipper
n bellow: hollering, roar, holler
n belly: stomach, abdomen
n bend: turn, crook
n benefit: welfare
n bent: set
n bequest: legacy
n berth: position, place, post, spot
n beverage: drink
n bid: command, bidding, play
n bill: measure
n biography: life history, life
n biscuit: cookie
n bite: morsel
n bitterness: resentment, rancor
n black: blackness
n blackness: black, total darkness
n blame: rap
n blanket: cover
n blast: bang, clap
n bloom: flower, blossom, blooming
n blooming: bloom
n blossom: flower, bloom
n blot: spot
n bluster: bravado
n board: plank
n bombproof: bomb shelter
n booking: engagement
n boom: roar, thunder, roaring
n boost: encouragement
n booth: stall
n boss: foreman, chief
n bottom: underside
n bounce: leap, leaping, spring
n boundary: edge, bounds, bound
n bouquet: corsage
n branch: subdivision
n brand: trade name, make
n bravado: bluster
n breadth: width
n break: interruption
n breakdown: dislocation
n breakthrough: discovery
n breakup: separation
n breast: tit
n breeze: air
n brigadier: brigadier general
n brilliance: glare, grandeur, splendor
n brook: creek
n brothel: house of prostitution, bawdyhouse
n brotherhood: fraternity
n brow: forehead, eyebrow
n brush: thicket
n brute: beast, wildcat
n bucket: pail
n buddy: crony
n buff: fan, devotee, lover
n build: physique
n builder: detergent builder
n building: edifice
n bulb: light bulb, electric light
n bulge: protuberance
n bulk: majority
n bull: shit
n bullet: slug
n bum: skunk, puke, tramp
n bunch: cluster, clump, gang, crowd
n bundle: packet, package, sheaf
n bunk: feed bunk
n burden: loading, load, encumbrance
n bureau: office, agency, authority, dresser
n burn: tan
n burst: volley, explosion, salvo
n bush: shrub
n business: business concern, concern, business organization
n businessman: man of affairs
n cable: line
n cafe: coffee shop, coffeehouse
n calamity: tragedy, disaster, catastrophe
n calculation: computation, figuring, reckoning
n caliber: quality, calibre
n call: telephone call, phone call
n caller: company
n calm: composure, calmness, equanimity
n calmness: composure, calm, equanimity
n camp: bivouac
n campaign: cause, drive, movement, political campaign, crusade
n camping: tenting
n candidate: prospect
n capacitor: condenser
n capillary: capillary tubing
n capital: working capital
n captive: prisoner
n capture: seizure
n car: automobile, auto, motorcar
n care: attention, caution, tending, precaution
n career: vocation
n carelessness: negligence
n cargo: freight, shipment, load
n carpet: rug
n carrier: bearer, toter, aircraft carrier, attack aircraft carrier
n case: instance, event
n castle: palace
n catalog: catalogue
n catalogue: catalog
n catastrophe: tragedy, disaster, calamity
n category: class, family
n catharsis: abreaction
n cattle: oxen, cows
n cattleman: beef man
n cause: reason, grounds
n caution: care, caveat, precaution
n cavalryman: trooper
n cellar: basement
n cemetery: graveyard
n center: middle, heart
n centerfield: center
n centimeter: cm
n chagrin: humiliation, mortification
n chairman: president
n chambermaid: fille de chambre
n champion: champ, title-holder
n championship: title
n chance: opportunity
n change: alteration
n character: quality
n characteristic: feature
n characterization: picture, delineation
n charm: appeal
n chase: pursuit
n cheering: shouting
n chemist: apothecary, pharmacist
n chief: head, top dog
n chieftain: captain
n child: kid, youngster, minor
n chill: thrill, quiver
n chip: bit, fleck, scrap
n choice: pick, selection
n chore: job, task
n chorus: refrain
n chunk: clod, lump, clump
n chute: parachute
n cinch: picnic
n circle: band, lot, set
n circuit: tour, electric circuit
n circumstances: luck, lot, fate, fortune
n city: metropolis, urban center
n clamor: din, blare, blaring
n clangor: crash, clash, clang, clangoring
n clap: bang, blast
n clapping: applause
n clarity: clearness, lucidity
n clash: crash, clangor, friction, clang, clangoring
n class: category, grade, family
n classroom: schoolroom
n clause: article
n cleaning: cleansing
n clearness: clarity, lucidity
n clergyman: reverend
n cliche: commonplace
n climate: mood
n clip: time
n clod: chunk, lump, clump, lummox
n close: last, stopping point, conclusion
n closet: cupboard
n cloth: fabric, material, textile
n clown: buffoon
n club: society, ball club, order
n clubhouse: club
n clue: hint
n clump: cluster, bunch
n cluster: clump, bunch
n clutch: grip, hold, clutches
n coach: manager
n coast: seacoast
n code: codification
n codification: code
n coffee: java
n cohesion: cohesiveness
n cold: low temperature
n colleague: co-worker, fellow worker
n collection: aggregation, accumulation
n colony: settlement
n comeback: retort
n coming: approach, advent
n command: bid, bidding
n commander: commanding officer
n comment: remark, commentary
n commentary: comment
n commentator: observer
n commerce: commercialism
n commission: committee
n commitment: allegiance, loyalty
n committee: commission
n commonwealth: country, nation, state, land
n commotion: din, disturbance, rumpus
n communication: communicating
n communist: commie
n commuting: commutation
n companion: comrade, fellow
n compass: range, scope, reach, orbit
n competitor: rival
n complaint: ailment
n complex: composite
n component: part, element, portion, factor, ingredient
n composite: complex
n composition: composing
n composure: calm, calmness, equanimity
n computation: calculation, figuring, reckoning
n comrade: companion, fellow
n concept: conception
n conception: concept
n concern: fear, care
n conclusion: decision, determination
n condemnation: disapprobation
n condition: status
n conduct: behavior, demeanor
n conduction: conductivity
n conductivity: conduction
n confidence: assurance, self-confidence, authority
n configuration: shape, form, contour, constellation
n confirmation: verification, check
n conflict: battle, fight, struggle, engagement
n conformity: compliance
n confusion: disarray
n congregation: fold
n congressman: representative
n consequence: effect, result, outcome, upshot
n consideration: circumstance, condition
n consistency: body, consistence
n consolation: solace
n consolidation: integration
n consternation: alarm, dismay
n constituent: element, component
n constitution: establishment, formation, fundamental law
n construction: building
n consultant: advisor
n consultation: interview
n consumption: intake, uptake
n contamination: taint
n contemplation: reflection, musing
n contempt: scorn, disdain
n content: message, subject matter
n contest: competition
n context: circumstance
n continuance: continuation
n continuation: continuance
n contour: shape, form, configuration
n contraceptive: contraceptive device
n contrary: reverse, opposite
n contrast: direct contrast
n contribution: share, part
n contrivance: gadget, contraption
n controller: accountant
n controversy: argument, contention
n convention: rule, pattern, formula
n conversion: transition
n core: nucleus
n corpse: cadaver
n correspondence: agreement
n correspondent: letter writer, newspaperman
n cortex: cerebral cortex
n couch: sofa
n counseling: guidance, direction
n count: counting
n countenance: visage
n counting: count
n country: nation, state, commonwealth, land
n coup: takeover
n courage: bravery
n course: class
n court: tribunal
n cover: blanket, screen
n cowboy: puncher, cowpuncher, cowhand
n cows: cattle, oxen
n cps: cycle
n crack: gap
n cracking: crack
n cradle: place of origin, provenance
n craft: trade
n craftsman: crafter, artisan
n crash: clangor, clash, clang, clangoring
n creativity: creativeness
n creature: animal, beast
n credit: recognition
n credo: creed
n creed: credo
n creek: brook
n crest: top, peak
n crew: gang
n crime: law-breaking
n criminal: crook, felon, outlaw
n criterion: standard, measure, touchstone
n crook: criminal, turn, felon, outlaw, bend
n crop: harvest
n crossroads: hamlet
n crusade: cause, campaign, drive, movement
n cry: yell, call, shout, outcry
n cube: block
n culmination: apogee
n cult: furor, craze
n cupboard: closet
n cure: remedy
n curiosity: wonder
n current: electric current, stream
n curse: oath, expletive, swearing
n curtain: drapery, drape
n cuss: fellow, lad, fella, gadfly, chap, bloke
n custom: tradition, usage
n customer: client
n cycle: round, rhythm
n dad: papa, pa, daddy, pop
n daddy: papa, pa, dad, pop
n damage: harm, impairment
n dancing: dance
n danger: risk
n daring: boldness
n dark: darkness
n darkness: dark, shadow
n darling: favorite
n dash: flair
n daughter: girl
n dawn: dawning, daybreak, break of day
n day: twenty-four hours
n daylight: day, daytime
n deadlock: impasse, standstill
n deal: trade
n dealer: trader
n dear: honey, love
n debate: argument, public debate
n debility: infirmity, feebleness
n debris: dust, junk, rubble
n debut: entry, introduction
n decay: decline
n decedent: dead person, deceased
n deceleration: slowing, retardation
n decision: conclusion, determination
n decline: diminution
n decomposition: disintegration
n decoration: ornament
n decrease: lessening
n decree: fiat, order
n defeat: frustration, licking
n defender: guardian
n deficiency: lack, want, inadequacy
n deformation: distortion
n degree: level, stage, point
n deity: god, divinity
n delay: wait
n delirium: frenzy, fury, hysteria
n delivery: bringing
n demarcation: limit
n demeanor: behavior, conduct
n democracy: republic
n demon: devil, fiend
n demonstration: presentation
n departure: difference, deviation, going, going away, leaving
n dependence: dependency
n dependency: dependence
n deposit: sediment, sedimentation
n deputy: deputy sheriff
n descent: origin
n desertion: abandonment, defection
n design: plan
n designer: interior designer, architect
n despair: desperation
n desperation: despair
n destination: goal
n destiny: fate
n destruction: demolition
n detachment: disengagement
n detail: point, item
n detection: sensing
n detective: investigator
n detector: sensor
n determinant: determining factor, causal factor
n determination: finding, purpose
n development: evolution
n deviation: difference, departure
n devil: demon, fiend
n devotee: fan, buff, lover
n diagnosis: diagnosing
n dialect: idiom
n diam: diameter
n diameter: diam
n diarrhea: diarrhoea, looseness of the bowels
n diarrhoea: diarrhea, looseness of the bowels
n diary: journal
n dice: die
n dickens: devil
n dictatorship: tyranny
n dictum: pronouncement
n die: dice
n differentiation: distinction
n difficulty: trouble
n dignity: self-respect
n dimension: attribute
n din: clamor, commotion, blare, blaring, rumpus
n direction: way
n director: manager
n dirt: soil, stain
n disability: handicap
n disagreement: discrepancy
n disappointment: letdown
n disaster: tragedy, calamity, catastrophe
n disbelief: skepticism
n disc: record, phonograph record
n discipline: field, subject, study
n discovery: breakthrough
n discrepancy: disagreement, variant
n discussion: word, treatment
n disdain: contempt, scorn
n disgrace: shame
n disintegration: decomposition
n disk: disc
n dislocation: breakdown
n dismay: alarm, consternation
n dispatch: shipment, communique
n displacement: shift
n display: show, showing
n disposition: temperament, disposal
n dispute: difference, difference of opinion
n disregard: neglect
n distaste: antipathy, aversion
n distinction: differentiation, eminence
n distortion: deformation
n distress: suffering, hurt
n district: territory
n disturbance: perturbation, upset
n dive: honkytonk
n diversion: recreation, diversionary attack
n diversity: variety
n divinity: god, deity
n division: part, section
n doctor: physician
n doctrine: philosophy, ism
n document: papers
n dogma: tenet
n dollar: dollar bill
n domain: land, area, field, sphere, orbit, arena
n dominance: control, ascendancy
n donation: contribution
n door: doorway, threshold
n doorman: porter
n doorway: door, threshold
n dormitory: hall
n dosage: dose
n dose: dosage
n dot: point
n double: two-baser
n doubt: uncertainty
n dough: kale, loot
n downpour: cloudburst, torrent
n downtown: business district
n dozen: 12, twelve
n dozens: lots, tons, scores, wads
n drainage: drain
n drama: play
n dramatist: playwright
n drapery: curtain, drape
n draught: gulp, swig
n dress: attire, garb
n drift: impetus
n drinking: drink
n drive: thrust, driving force
n driveway: drive
n drone: monotone
n drugstore: pharmacy
n drunk: drunkard
n drunkard: drunk
n dung: droppings
n dusk: nightfall, twilight
n dust: debris, junk, rubble
n duty: responsibility, obligation
n dweller: inhabitant
n dwelling: home, abode, dwelling house
n earnings: wage, pay, salary, profit, profits, remuneration
n earth: world, land, ground, globe, terra firma
n earthquake: quake
n eating: feeding
n echo: reverberation
n economy: economic system
n ecstasy: rapture
n edge: border
n edifice: building
n editorial: column
n education: instruction, teaching, educational activity
n effect: result, consequence, outcome, upshot
n effectiveness: potency, strength
n effluent: wastewater
n effort: attempt, try, endeavor
n eggs: egg
n elaboration: amplification
n elation: high spirits
n electroshock: electroshock therapy
n element: component, factor, constituent, ingredient
n elevation: height, top, peak, raising
n emanation: emission
n embrace: embracing
n emergence: growth
n emission: emanation
n emotionalism: emotionality
n emphasis: accent, vehemence
n emphysema: pulmonary emphysema
n employment: work, employ, engagement
n enactment: passage
n encounter: skirmish, meeting
n encouragement: boost
n encroachment: intrusion, invasion
n endeavor: effort, attempt, enterprise, try
n ending: conclusion
n engagement: battle, fight, conflict
n engineering: technology
n enlargement: expansion
n entanglement: web
n enterprise: endeavor
n entertainment: amusement
n entirety: totality
n entrance: entranceway, entry
n entry: debut, introduction
n epic: epic poem
n epoch: era
n equality: equivalence, par
n era: epoch
n error: mistake, fault
n escape: flight
n escort: bodyguard
n essence: center, substance, core, heart, sum
n establishment: formation, constitution
n esteem: respect
n estimate: approximation, idea
n ethic: value-system, moral principle, value orientation
n evaluation: rating, valuation
n evaporation: vapor
n evidence: grounds
n evil: wickedness
n evolution: development
n examination: scrutiny
n example: instance, illustration, model
n excess: surplus
n exclamation: exclaiming
n exclusiveness: clannishness
n execution: performance, capital punishment, carrying into action
n exemption: freedom
n exercise: workout, exercising
n exertion: effort
n existence: being
n expanse: area, sweep, surface area
n expansion: enlargement
n expectancy: anticipation
n expectation: outlook, prospect
n experiment: experimentation
n experimentation: experiment
n expiration: termination
n explanation: account
n exploit: feat, effort
n exploitation: development
n explosion: burst
n expression: look, face, reflection
n exterior: outside
n extreme: extremum
n eyebrow: brow
n eyelid: lid
n fabric: cloth, material, textile
n facet: aspect
n facility: installation
n factory: mill
n faculty: staff
n faith: religion, religious belief, trust
n fall: autumn
n falloff: slump, falling off
n falsity: untruth
n familiarity: acquaintance, intimacy
n family: household
n fan: buff, devotee, lover
n fancy: illusion, fantasy, phantasy
n fantasy: illusion, phantasy, fancy
n farewell: word of farewell
n farming: agriculture, husbandry
n fashion: way, manner, style, mode
n fate: destiny
n fatigue: weariness
n fault: error, mistake, flaw, defect
n fear: fright
n feast: banquet
n feat: effort, exploit
n feature: characteristic
n feeding: eating
n feeling: impression, notion, belief
n fella: fellow, lad, chap, cuss, bloke
n fellow: comrade, companion, lad, fella, chap, cuss
n fence: fencing
n fencing: fence
n fermentation: ferment, unrest
n festivity: celebration
n fiat: decree, order
n fiend: devil, demon
n fig: figure
n fight: battle, fighting, engagement, conflict, combat
n fighting: fight, combat
n figure: fig, form, flesh, shape, frame, human body
n film: movie, motion picture, picture, cinema
n finding: determination
n finish: finishing
n fire: firing
n firearm: piece, small-arm
n fireplace: hearth
n firing: fire
n firm: house, business firm
n firmness: resolution, resolve
n fisherman: fisher
n fit: tantrum, scene, paroxysm
n five: 5
n fix: mess
n flair: dash
n flame: fire
n flank: wing
n flavor: spirit, feeling, tone, feel, smell
n flaw: fault, defect
n flesh: figure, form, shape, frame, human body, anatomy
n flood: inundation
n floor: story, flooring
n flow: flow rate, flowing
n flower: blossom, bloom
n flowering: unfolding
n flurry: bustle, ado
n flush: peak, heyday, bloom
n foam: froth
n focus: focusing, centering
n foe: enemy
n fold: congregation
n foliage: leaf
n folly: foolishness, stupidity
n food: nutrient
n fool: chump, sucker
n foolishness: folly
n footstep: step, pace, stride
n forefinger: index finger
n forehead: brow
n foreigner: alien
n foreman: boss, chief
n forest: woods, wood
n fork: ramification
n form: kind, sort
n formula: expression
n formulation: preparation
n fort: fortress, garrison
n fortress: fort
n fortune: chance, luck, hazard
n founding: creation, initiation, institution
n four: 4
n foyer: hall, lobby, vestibule, entrance hall
n fracas: altercation
n framework: model, fabric
n fraternity: brotherhood
n fraud: faker
n freak: monster, monstrosity
n freeway: pike, superhighway, thruway
n freight: cargo, shipment, load
n frenzy: fury, delirium, hysteria
n frequency: relative frequency
n freshman: newcomer, fledgling
n freshness: novelty
n friction: clash
n fright: fear
n fringe: periphery
n frog: toad
n front: battlefront, front line
n fruit: yield
n frustration: defeat
n fullness: richness
n fun: merriment
n function: purpose, use, role
n furor: craze, cult
n fury: rage, frenzy, violence, delirium, hysteria, ferocity
n fusion: unification
n gadfly: cuss
n gadget: contrivance, contraption
n gag: joke, jest
n gage: dope, gauge
n gaiety: merriment
n gain: increase, addition
n gallon: gal
n gang: bunch, crowd
n gap: opening, spread, crack
n garbage: refuse
n garrison: fort
n gathering: assemblage
n gaze: regard
n generalization: abstraction, induction
n generation: contemporaries
n genius: brain, star, ace, wizard, sensation, virtuoso
n ghost: specter
n gift: talent, endowment
n ginmill: bar, saloon
n girl: young woman, miss, young lady
n girlfriend: girl
n glance: glimpse
n glare: brilliance
n glasses: spectacles
n gleam: gleaming, glimmer
n gleaming: gleam, glimmer
n glee: hilarity
n glimpse: glance
n globe: earth, world
n glycerine: glycerol
n glycerol: glycerine
n gnp: gross national product
n goal: end
n god: divinity, deity
n gold: amber
n good: goodness
n goodness: good
n gourmet: epicure
n government: authorities, regime
n grade: level, class
n gram: gm, g
n grandeur: splendor, brilliance, nobility
n grandma: grandmother, granny
n grandmother: granny, grandma
n granny: grandmother, grandma
n grappling: wrestling
n gratification: satisfaction
n grave: tomb
n graveyard: cemetery
n gravity: gravitational attraction, gravitational force
n greatcoat: overcoat
n grievance: grudge
n grin: smile, grinning, smiling
n grinning: smile, grin, smiling
n grip: hold, clutch, clutches
n groan: moan
n groove: rut
n ground: earth, land, terra firma
n grounds: evidence, yard
n group: grouping
n grouping: group
n grove: orchard
n growing: growth, development, maturation
n grownup: adult
n growth: development, growing, maturation
n grub: chuck
n grudge: grievance
n grumbling: rumble, grumble
n guardian: defender
n guess: speculation, surmise, guessing
n guidance: direction, counseling
n gulp: draught, swig
n gun: artillery
n gunfire: gunshot
n gunman: gunslinger
n gunner: artilleryman
n gunpowder: powder
n guts: backbone
n gutter: trough
n habit: use
n half: one-half
n hall: lobby, hallway, foyer, vestibule, entrance hall
n hallmark: trademark, stylemark
n hallway: hall
n halt: check, stop
n hamper: shackle, bond
n handbag: purse, bag
n handicap: disability
n handle: grip
n handling: treatment
n handwriting: hand
n happening: occurrence
n hardship: rigor, adversity
n harm: injury, damage, hurt, impairment
n harvest: crop
n haste: hurry
n hate: hatred
n hatred: hate
n haunt: hangout
n haversack: knapsack
n hazard: chance, luck, risk, fortune, jeopardy, peril
n headache: worry, concern
n headmaster: schoolmaster, master
n heap: mass, good deal, lot, great deal, pile, plenty
n heartbeat: pulse, beat
n hearth: fireplace
n heat: heat energy
n height: top, peak, elevation
n help: assistance, aid, assist
n helper: assistant, help
n heroism: valor, gallantry
n heyday: peak, flush
n hide: skin
n hideout: hideaway
n highwayman: hijacker
n hillock: knoll, mound
n hint: clue, breath
n history: account, story
n hitter: slugger, batter
n hold: grip, appreciation, clutch, clutches
n holiday: vacation
n hollering: bellow, roar, holler
n hollow: hole
n home: dwelling, place, abode, dwelling house
n homeland: native land, motherland, mother country
n homer: home run
n honey: dear, love
n honor: award, laurels, honour
n honour: award, honor, laurels
n hoop: ring
n hope: promise
n horde: host
n hospital: infirmary
n host: horde
n hound: hound dog
n hour: hr
n household: family
n housekeeping: housework
n housing: lodging
n howl: howling
n huddle: powwow
n hulk: whale
n human: man, human being
n humiliation: chagrin, mortification
n humor: mood, wit, sense of humor, temper
n hunch: suspicion, intuition
n hundred: 100
n hurler: pitcher
n hurry: haste
n hurt: injury, harm
n hut: shack, shanty
n hypocrite: phony
n hypothesis: theory, possibility
n hysteria: frenzy, fury, delirium
n icbm: intercontinental ballistic missile
n icebox: refrigerator
n idea: thought
n ideal: saint
n idiom: dialect, parlance
n idiosyncrasy: foible
n idiot: imbecile
n idol: graven image
n illness: sickness, malady
n illumination: light
n illusion: fantasy, phantasy, fancy
n image: mental image
n imagery: imagination, imaging
n imagination: imagery, vision, imaging
n imbecile: idiot
n impasse: deadlock, standstill
n impetus: drift
n impinging: contact
n implication: significance, deduction, import
n import: meaning, significance
n imposition: infliction
n imprecation: malediction
n impression: feeling, notion, effect, belief
n improvement: advance, betterment
n impulse: urge
n impurity: dross
n incarnation: embodiment
n incentive: inducement
n inception: origin
n inch: in
n incipiency: incipience
n inclination: tendency
n incline: slope, ramp
n inconvenience: worriment
n increase: gain, addition
n indecision: irresolution
n index: indicator
n indicator: index
n indignation: outrage
n individual: person, someone, soul, mortal
n individualism: individuality
n induction: initiation, generalization
n industry: manufacture
n infancy: early childhood
n infant: baby, babe
n infantryman: foot soldier
n inferiority: lower rank
n inflection: prosody
n infliction: imposition
n ingredient: element, component, factor
n inhabitant: dweller
n initiation: induction, founding, creation, institution
n initiative: first step
n injury: hurt, harm
n inmate: convict
n inn: hostelry
n inning: frame
n innovation: invention, conception
n inoculation: vaccination
n inquiry: question, research, query
n inscription: lettering
n inside: interior
n insight: penetration
n installation: facility
n instance: case
n instant: moment, split second, twinkling, wink, minute
n institution: establishment
n instruction: education, direction, teaching, educational activity
n instructor: teacher
n insurance: policy
n insurrection: rebellion, revolt, uprising
n intake: uptake, consumption
n integer: whole number
n integration: integrating
n integrity: unity
n intensity: strength
n intent: purpose, intention, aim, spirit, design
n intention: purpose, aim, intent, design
n interest: sake, involvement
n interior: inside
n interpretation: reading
n interrelation: interrelationship
n interruption: disruption
n intersection: point of intersection
n interview: consultation
n introduction: debut, entry
n intrusion: encroachment, invasion
n intuition: suspicion, hunch
n invasion: encroachment, intrusion
n invention: innovation, conception
n inventory: stock
n investigation: investigating
n investigator: researcher
n involvement: participation
n irony: satire, sarcasm
n irritation: annoyance
n ism: doctrine, philosophy
n isolation: closing off
n item: detail, point
n ivory: pearl
n jab: jabbing
n java: coffee
n jeep: landrover
n jeopardy: risk, hazard, peril
n jerk: jerking, jolt
n jet: jet plane
n jimdandy: jimhickey
n jimhickey: jimdandy
n job: task, business, occupation, chore, line, line of work
n john: toilet, lavatory, privy
n joke: gag, jest
n jolt: jerk, jerking
n journal: diary
n journey: journeying
n jowl: lower jaw
n joy: pleasure
n judge: justice
n judgment: mind
n jumble: welter, muddle
n jurisprudence: law
n ketosis: acetonemia
n kick: thrill
n kickoff: beginning, start, outset, first
n kid: child, youngster, minor
n kill: killing
n killing: kill
n kind: sort, form
n kingdom: realm, land
n kissing: hugging, petting
n knapsack: haversack
n knee: knee joint
n knock: knocking
n lab: laboratory
n labor: labour, proletariat
n laboratory: lab
n lack: deficiency, want
n lad: fellow, fella, sonny, chap, cuss, bloke
n lamentation: wail
n lance: spear
n land: soil
n landmark: turning point
n last: close, stopping point, conclusion
n lather: suds, soapsuds
n laugh: laughter
n laughter: laugh
n laurels: honor, award, honour
n lavatory: toilet, john, privy
n lawman: law officer, peace officer
n lawyer: attorney
n laying: egg laying
n leaders: leadership
n leadership: leaders
n leaf: foliage
n league: conference
n leap: leaping, spring, bounce
n learning: scholarship
n leave: leave of absence
n lecture: public lecture
n leftfield: left
n lefty: left-hander
n lessening: decrease
n lesson: example, moral
n letter: missive
n lettering: inscription
n level: degree
n lexicon: vocabulary
n liaison: affair, contact
n liberty: autonomy
n license: permit
n licking: defeat
n lid: eyelid
n life: living
n lifetime: life
n light: visible light
n lighting: light
n limitation: restriction
n lineage: ancestry, line, pedigree, blood, stock
n link: tie, tie-in
n liquor: spirits, booze
n listener: hearer
n liter: l
n living: life
n load: loading, burden
n loading: load, burden
n loaf: loaf of bread
n lobby: hall, foyer, vestibule, entrance hall
n lobscuse: lobscouse
n locality: neighborhood, vicinity, neighbourhood
n localization: location
n lodging: housing
n loft: attic
n longing: yearning
n look: expression, face, looking at, looking
n loot: booty, plunder, prize, dough, kale
n lord: master
n lot: mass, good deal, great deal, pile, heap, plenty
n lots: dozens, tons, scores, wads
n lover: fan, buff, devotee
n luck: chance, lot, fate, circumstances, fortune, hazard
n luggage: baggage
n lumber: timber
n lump: chunk, clod, swelling, clump, lummox
n lunch: luncheon
n luster: splendor, brilliancy
n lyric: words, language
n machinist: mechanic
n madman: maniac
n magnetism: magnetic force, magnetic attraction
n maintenance: upkeep, care
n majority: bulk
n majors: major league, big league
n malady: illness, sickness
n mama: ma, mamma, mommy
n mamma: ma, mama, mommy
n man: military man, military personnel
n management: direction
n manager: coach, director
n mania: passion
n maniac: madman
n manner: way, style, fashion, mode
n manpower: men, work force, hands
n manufacture: industry
n manufacturer: producer
n march: marching
n margin: border
n mark: score, marking
n market: marketplace
n marketing: selling, merchandising
n marketplace: market
n marking: mark
n marriage: married couple, matrimony, man and wife
n marrow: bone marrow
n masses: mass, people
n master: lord
n mastery: supremacy, control, command, domination
n mate: teammate
n material: stuff
n mathematics: math
n mating: union, sexual union
n matter: thing, affair, subject, topic, issue
n maturation: growth, development, growing, ripening
n maturity: adulthood
n maximum: upper limit
n maze: labyrinth
n meadow: hayfield
n meaning: significance, substance, import
n means: way
n measure: step, amount, quantity
n measurement: measuring, measure
n measuring: measurement, measure
n mechanic: machinist
n mechanics: mechanism
n mechanism: mechanics
n medication: medicine
n medicine: medication
n melee: scrimmage
n melody: tune, strain
n membership: rank
n men: manpower, work force, hands
n menace: threat
n mentality: outlook, brain, wit
n mention: reference
n merchandise: product
n merchandising: marketing, selling
n merit: virtue
n merriment: fun, gaiety
n message: content, subject matter
n messenger: courier
n meter: m
n metropolis: city, urban center
n microphone: mike
n middle: center, heart
n midst: thick
n might: power
n militia: reserves
n mill: factory
n milligram: mg
n milliliter: ml, cc
n min: minute
n mind: head, brain, psyche
n minimum: lower limit
n minister: pastor, parson
n minor: child, kid, youngster
n minute: min
n misbehavior: misdeed
n mischief: shenanigan, devilment
n misdeed: misbehavior
n misery: wretchedness
n misfortune: bad luck
n misgiving: qualm
n miss: girl, young woman, young lady
n missile: projectile
n mistake: error, fault
n mite: touch, speck
n mob: rabble
n mode: way, manner, style, fashion
n model: framework
n modesty: reserve
n modification: adjustment, alteration
n moisture: wet
n mold: stamp, cast
n moment: instant, second, minute, bit
n mommy: ma, mama, mamma
n monarch: sovereign
n monstrosity: freak, monster
n mood: humor, climate, temper
n moral: lesson
n morale: esprit de corps, team spirit
n morality: morals, ethical motive, ethics
n morals: morality, ethical motive, ethics
n morsel: bite
n mortal: person, individual, someone, soul
n motion: movement, gesture, move
n motivation: motive, need
n motive: need, motivation
n motto: slogan, shibboleth
n mouth: oral cavity
n movement: motion, move
n movie: film, motion picture, picture
n mph: miles per hour
n murmur: muttering, murmuring
n musical: musical comedy, musical theater
n musician: player, instrumentalist
n myofibrilla: myofibril
n mystery: enigma
n nadir: low-water mark
n narrative: story, tale
n nation: country, state, commonwealth, land
n national: subject
n nationalism: patriotism
n native: aborigine
n necessity: requirement, essential
n necktie: tie
n need: demand, want
n neglect: disregard
n negligence: carelessness
n negotiation: talks
n neighborhood: locality, vicinity, neighbourhood
n nerve: heart
n newcomer: fledgling, freshman
n news: word, tidings
n newsman: reporter
n newspaper: paper
n niche: corner
n night: dark, nighttime
n nightfall: dusk, twilight
n nine: 9
n nineteen: 19
n nobility: aristocracy, grandeur
n noon: midday
n norm: average
n nothing: zero, naught
n notion: feeling, impression, belief
n novelty: freshness
n nuance: shade, subtlety
n number: figure
n oath: curse, expletive, swearing
n objection: remonstrance
n objective: aim, object, target
n obligation: responsibility, duty
n obliteration: annihilation
n obscurity: abstruseness
n observer: commentator
n occasion: affair, juncture
n occupant: resident
n occupation: job, business, line, line of work
n occurrence: happening
n odor: smell, aroma, scent
n offer: offering
n office: agency, bureau, authority
n one: 1, ace, unity
n oneness: unity
n onrush: attack, onslaught
n onslaught: attack, onrush
n open: out-of-doors
n opening: gap
n opinion: sentiment, view
n opponent: antagonist, opposition, opposite, adversary
n opportunity: chance
n opposite: contrary, opponent, reverse, opposition
n opposition: resistance
n opus: piece, musical composition, composition
n orb: eyeball
n orchard: grove
n ordering: order
n organism: being
n organization: system, arrangement, administration, establishment, brass
n origin: source, beginning, root
n original: master
n outcome: result
n outcry: cry, yell, call, shout
n outlet: wall plug, electric outlet
n outlook: expectation, prospect, mentality
n outpost: frontier settlement
n output: yield
n outrage: indignation
n outset: beginning, start, first, kickoff
n outside: exterior
n overcoat: greatcoat
n overhead: operating cost
n overture: prelude, advance
n owner: proprietor
n ownership: possession
n oxen: cattle, cows
n pace: step, footstep, stride, gait
n pacing: tempo
n pack: large number, multitude
n package: packet, bundle, parcel
n packet: bundle, package
n pail: bucket
n pains: striving
n painting: picture
n pair: couple
n palace: castle
n pamphlet: tract
n pane: pane of glass
n panic: terror
n papa: pa, dad, daddy, pop
n papers: document
n par: equality, equivalence
n parable: allegory
n parachute: chute
n paradigm: prototype, image, epitome
n paradise: heaven
n parallel: analogue
n parcel: portion, package, share
n pardner: partner
n park: common, green
n parson: minister, pastor
n part: portion, component
n participation: involvement
n particle: speck
n partner: spouse, pardner, mate
n party: political party
n pass: walk, base on balls
n passage: transition
n passageway: passage
n passing: pass
n passion: heat
n past: yesteryear
n pastor: minister, parson
n patch: plot, spot
n path: way, way of life
n pathologist: diagnostician
n pathway: footpath
n patriotism: nationalism
n patronage: backing
n pattern: form, practice
n pavement: sidewalk
n pay: wage, salary, earnings, remuneration
n peace: peace of mind, serenity
n peak: height, top, heyday, flush, elevation
n pearl: ivory
n pecs: pectoral, pectoralis
n pectoral: pecs, pectoralis
n peddler: hawker
n pedigree: ancestry, lineage, line, blood, stock
n peer: equal
n penalty: punishment
n penance: repentance
n penetration: insight
n penny: cent
n percent: percentage, per centum
n percentage: percent, per centum
n performance: execution, carrying into action
n perfume: scent, fragrance
n period: period of time, time period
n periphery: fringe
n permit: license
n perpetuation: prolongation, lengthening
n persistence: persistency, tenacity
n persistency: persistence, tenacity
n person: individual, someone, soul, mortal
n personnel: force
n perspective: view, position
n perspiration: sweat
n perturbation: disturbance, upset
n petition: request
n phantom: shadow, apparition, specter
n pharmacy: drugstore
n phase: stage
n philosophy: doctrine, ism
n phone: telephone
n phonemics: phonology
n phonology: phonemics
n phosphate: orthophosphate
n photo: photograph
n photograph: photo
n physician: doctor
n physiognomy: countenance, visage
n physique: build
n pianist: piano player
n piano: forte-piano
n picket: sentinel, sentry, scout
n picnic: cinch
n picture: painting, image, mental picture, impression
n pile: mass, good deal, lot, great deal, heap, plenty
n pimp: procurer, pander
n pinpoint: speck
n pit: cavity
n pitcher: hurler
n pituitary: pituitary gland
n pity: commiseration, shame
n place: spot
n placement: arrangement
n plan: program
n plane: airplane
n plank: board
n plant: works
n plate: home, home plate
n platform: program, political platform
n play: drama
n playwright: dramatist
n plenty: plenitude
n plight: predicament
n plot: patch
n poetry: verse
n polarity: sign
n police: police force, law
n policeman: officer, police officer
n polish: refinement
n politician: political leader
n poll: public opinion poll
n pond: pool
n populace: public, world
n porter: doorman
n portion: part, component
n portrait: portrayal
n portrayal: portrait
n position: place
n possession: ownership
n possibility: theory, hypothesis
n post: position, place, berth, spot
n posture: position, attitude
n pot: toilet
n potency: authority, effectiveness, strength
n potential: potentiality
n potentiality: potential
n poultry: fowl
n pound: lb
n pounding: throbbing
n powder: gunpowder
n power: powerfulness
n practice: pattern
n praise: congratulations
n preaching: sermon
n precaution: safeguard
n precedence: priority
n precedent: case in point, common law
n prediction: anticipation
n preference: taste, predilection
n prejudice: bias
n premonition: foreboding
n preparation: formulation
n presentation: demonstration
n press: pressure, public press
n presumption: given
n pretence: pretension
n prevention: bar
n prey: target
n price: cost
n prick: bastard, son of a bitch
n primary: primary election
n principle: rule
n priority: precedence
n prisoner: captive
n privacy: secrecy
n private: common soldier
n privy: toilet, lavatory, john
n prize: award
n probability: chance
n procedure: process, operation
n proceedings: proceeding
n proceeds: return, takings, yield
n process: procedure
n proclamation: announcement
n producer: manufacturer
n product: production, merchandise
n professional: pro
n profit: profits, earnings
n profits: profit, earnings
n program: plan
n progression: advance, progress
n prohibition: ban
n project: task, undertaking
n projectile: missile
n promise: hope
n promotion: publicity
n pronouncement: dictum
n propagation: extension, multiplication
n proportion: dimension
n proposition: suggestion
n proprietor: owner
n prosecutor: prosecuting attorney
n prospect: expectation, outlook
n protease: peptidase
n protest: objection, protestation
n protestation: protest
n prototype: image, paradigm, epitome
n province: state, responsibility
n provision: proviso
n prowess: art, artistry
n psyche: mind, soul, head, brain
n public: world, populace
n publicity: promotion
n pull: pulling
n pulpit: dais, rostrum
n pulse: heartbeat, pulsation, impulse, beat
n puncher: cowboy, cowpuncher, cowhand
n punishment: penalty
n pupil: student
n purpose: function, use, intention, aim, role, intent
n purse: handbag, bag
n pursuit: chase, quest
n push: thrust, pushing
n pussy: slit
n quake: earthquake
n quality: caliber, calibre
n quantity: amount, measure
n quarrel: row, wrangle
n quarter: one-fourth
n quarterback: field general
n question: inquiry, query
n quiet: silence
n quotation: reference, mention
n radical: free radical, group
n rage: fury
n rail: railing
n railing: rail
n railroad: railway, railway system
n railway: railroad, railway system
n rain: rainfall
n raise: rise
n ramp: incline
n ranch: spread
n range: scope, reach, compass, orbit
n ransom: ransom money
n rapture: ecstasy
n rating: evaluation, valuation
n rationale: principle
n rattle: rattling
n rattler: rattlesnake
n rattlesnake: rattler
n rattling: rattle
n ray: beam, light beam, shaft of light
n reach: scope, range, stretch, compass, orbit
n reaction: chemical reaction
n reactivity: responsiveness
n realism: reality
n reality: world, realism
n realization: recognition
n realm: kingdom, land
n reason: ground
n rebellion: revolt, insurrection, uprising
n receipt: reception
n receipts: revenue
n receiver: receiving system
n reception: response
n recipient: receiver
n recollection: remembrance
n record: disc, phonograph record
n recovery: recuperation
n recreation: diversion
n reference: mention
n refinement: polish
n reflection: expression, contemplation, musing
n refrain: chorus
n refrigerator: icebox
n regard: respect, heed
n regime: government, authorities
n region: part
n register: registry
n registration: enrollment
n regret: sorrow
n regulation: ordinance
n rehabilitation: renewal
n reinforcement: support
n relevance: relevancy
n relevancy: relevance
n reliance: trust
n religion: faith, religious belief
n relish: gusto, zest
n remainder: rest, residue
n remark: comment
n remedy: cure
n remembrance: recollection
n remonstrance: objection
n rendering: rendition, interpretation, interpreting
n rendition: rendering
n renewal: rehabilitation
n rent: tear
n repair: fixing
n repeat: repetition
n repetition: repeat
n replacement: replacing, substitution, switch
n reply: answer, response
n report: study
n reporter: newsman
n repose: rest
n representative: congressman, voice
n republic: democracy
n repulsion: revulsion, horror, repulsive force, repugnance
n reputation: repute
n request: petition
n requirement: necessity, demand, essential, prerequisite
n rescue: deliverance, saving
n researcher: investigator
n resentment: bitterness, rancor
n reserve: modesty
n reserves: militia
n reservoir: artificial lake
n residence: abode
n resident: occupant
n residue: rest, remainder
n resignation: surrender
n resistance: opposition
n respect: regard
n respite: reprieve, break
n response: reaction
n responsibility: obligation, duty
n responsiveness: reactivity
n rest: remainder, residue
n restoration: return
n restraint: control
n restriction: limitation
n result: effect, consequence, outcome, upshot
n resume: survey, sketch
n retaliation: revenge
n retention: holding
n return: income tax return, tax return
n revelation: disclosure
n revenge: retaliation
n revenue: receipts
n reverberation: echo
n reverie: revery
n reverse: contrary, opposite
n revolt: rebellion, insurrection, uprising
n revulsion: horror, repugnance, repulsion
n reward: wages
n rhino: rhinoceros
n rhyme: verse
n rhythm: beat
n richness: affluence, profusion, fullness
n ride: drive
n rightfield: right
n rigor: hardship
n ring: hoop
n risk: danger, hazard, jeopardy, peril
n rite: ritual
n ritual: rite
n road: route
n roadside: wayside
n roar: thunder, boom, roaring
n roaring: roar, thunder, boom
n rock: stone
n role: part, function, office
n roll: roster
n rooms: suite
n roster: roll
n route: path
n rug: carpet
n rule: pattern, convention, regulation, formula
n ruling: opinion
n rumble: grumble, grumbling
n run: tally
n runner: smuggler
n running: run
n rush: surge, haste, hurry, rushing
n rustler: cattle thief
n rustling: rustle
n rut: groove
n sacrilege: desecration
n sadness: unhappiness
n sake: interest
n salary: wage, pay, earnings, remuneration
n saleslady: salesgirl
n saloon: bar, ginmill
n salvation: redemption
n salvo: volley, burst
n sanction: countenance, imprimatur
n sarcasm: satire, irony
n satire: irony, sarcasm
n satisfaction: gratification
n savage: barbarian
n saving: economy
n scent: odor, smell, perfume, fragrance, aroma
n schedule: agenda
n scheme: strategy
n scholar: student
n scholarship: learning
n schoolhouse: school
n schoolmate: classmate
n schoolroom: classroom
n scoffing: mockery
n scope: range, reach, compass, orbit
n score: mark
n scores: lots, dozens, tons, wads
n scorn: contempt, disdain
n scouring: scrubbing
n scrape: scraping
n scraping: scrape
n scream: shriek, screaming, shrieking, screech
n screech: screeching, shriek, scream, screaming, shrieking
n screen: blind
n scrimmage: melee
n script: book
n scrutiny: examination
n seaman: seafarer
n search: hunting
n season: time of year
n seat: ass, place, bottom, buttocks, rear end, tail
n sec: second
n second: sec
n secrecy: silence, privacy
n sector: sphere
n security: protection
n sediment: deposit
n sedimentation: deposit
n segment: section
n seizure: capture
n selection: choice
n self: ego
n selling: marketing, merchandising
n sensation: sense datum
n sensing: detection
n sensor: detector
n sentiment: opinion, view
n separation: breakup
n sept: family, folk
n serenity: peace, tranquility, peace of mind
n seriousness: sincerity, earnestness
n sermon: preaching
n serpent: snake
n session: school term
n setback: blow
n setting: background
n settlement: colony
n setup: apparatus
n seven: 7
n sex: sexual activity, sex activity
n shackle: hamper, bond
n shade: tone, tint
n shadow: darkness, dark
n shaft: barb, jibe
n sham: fake
n shame: disgrace
n shape: form, contour, configuration
n share: part, percentage, portion
n sheet: piece of paper, sheet of paper
n shenanigan: mischief, devilment, wile
n shibboleth: motto, slogan
n shift: transformation, displacement, transmutation
n shipment: freight, cargo, load, dispatch
n shipping: transport
n shit: bull
n shock: stupor
n shooting: shot
n shop: store
n shortage: deficit
n shot: shooting
n shout: cry, yell, call, outcry
n shouting: cheering, yelling
n show: display
n showing: display
n shred: whit
n shriek: scream, screaming, shrieking, screech, screeching
n shrub: bush
n sickness: illness, malady
n sidewalk: pavement
n signal: sign, signaling
n signature: touch
n significance: implication, import
n silence: quiet
n silver: silver gray
n similitude: likeness
n sin: sinfulness, sinning
n sincerity: seriousness, earnestness
n sinfulness: sin
n singer: vocalist
n sinner: evildoer
n sister: sis
n site: land site
n situation: state of affairs, position
n six: 6, half a dozen
n sketch: study, vignette
n skill: science
n skirmish: encounter
n slant: angle, pitch
n sleep: slumber
n slice: piece
n slight: rebuff
n slope: incline
n slowing: deceleration, retardation
n slug: bullet
n slugger: batter, hitter
n slum: slum area
n slump: falloff, falling off
n smash: bang, bash, belt
n smell: odor, aroma, scent
n smile: grin, grinning, smiling
n smokehouse: meat house
n smuggler: runner
n snake: serpent
n snow: snowfall
n sod: sward, turf
n sofa: couch
n soil: dirt, stain
n solace: consolation
n soldiery: troops, military personnel
n solution: result, answer
n someone: person, individual, soul, mortal
n somersault: somersaulting, flip
n son: boy
n sonny: lad, sonny boy
n sorrow: regret
n sort: kind, form
n soul: person, individual, someone, mortal, psyche
n source: origin, beginning, root
n southpaw: left-hander
n sovereign: monarch
n spark: arc, sparkle, light, glint, discharge, electric discharge
n sparkle: spark, light
n spatter: splatter, splutter, sputtering
n specialty: strength, forte, strong point
n speck: particle, mite, pinpoint, touch
n spectator: witness, viewer, watcher
n specter: ghost
n speculation: guess, venture, surmise, conjecture
n speech: language, address, spoken language
n speed: velocity
n spell: trance
n sphere: area, field, domain, orbit, arena
n spine: vertebral column
n spire: steeple
n spirit: feeling, tone, flavor, feel, smell
n splendor: grandeur, luster, brilliancy, brilliance
n sport: athletics
n sportsman: sportswoman
n spot: place
n spouse: partner, mate
n spread: ranch, gap
n spring: springtime
n springtime: spring
n spur: urging
n squad: team
n squatting: squat
n stage: phase, degree, point, level
n staircase: stairway
n stairs: steps
n stairway: staircase
n stake: interest
n stall: booth
n stamp: mold
n stand: base, pedestal
n standard: criterion, measure, touchstone
n standpoint: viewpoint, point of view, stand
n star: ace, wizard, sensation, virtuoso, genius, hotshot
n start: beginning, outset, first, kickoff
n starting: start
n state: province
n statesman: national leader
n status: position
n stead: place
n steeple: spire
n stem: root
n step: pace, measure, footstep, stride
n steps: stairs
n stillness: hush
n stimulant: stimulus, stimulation
n stimulation: stimulus, stimulant
n stimulus: stimulation, stimulant
n stone: rock
n stop: halt
n store: shop
n storehouse: storage
n storm: tempest
n story: tale, narrative
n strategy: scheme
n streak: run
n streetcar: trolley car
n stretch: reach
n stride: step, footstep, tread, pace
n striving: pains
n stroke: shot
n structure: construction
n struggle: battle, conflict
n stubbornness: self-will
n student: pupil
n study: survey
n stuff: material
n stupor: shock
n style: way, manner, fashion, mode
n subdivision: branch
n subject: theme, topic, depicted object
n submission: entry
n subordinate: underling
n subspecies: race
n substitute: replacement
n subtlety: nuance, shade
n subway: metro
n succession: sequence
n succor: relief, ministration
n suds: lather, soapsuds
n suffering: agony, distress, woe, hurt
n suggestion: proposition
n suicide: self-destruction
n suitcase: bag, grip
n suite: rooms
n sum: amount, total, sum of money, amount of money
n sun: sunlight, sunshine
n sunlight: sun, sunshine
n superiority: high quality, favorable position
n supplement: accessory
n supremacy: domination, mastery
n surfactant: surface-active agent
n surge: rush
n surplus: excess
n surrender: resignation, giving up
n surroundings: milieu
n survey: study, resume, sketch
n suspicion: hunch, intuition
n sustenance: nourishment
n sward: sod, turf
n sweat: perspiration
n sweep: expanse
n swelling: lump
n switch: replacement, substitution
n sword: blade, steel
n sympathy: understanding, fellow feeling
n symphony: symphony orchestra
n synchrony: synchronism
n syndicate: pool, mob
n syntax: sentence structure
n tale: story, narrative
n talent: gift, endowment
n talk: talking
n tally: run
n tan: burn
n target: mark, prey, target area
n tariff: duty
n task: job, project, chore, undertaking
n taste: preference
n teacher: instructor
n teaching: instruction
n team: squad
n teammate: mate
n tears: weeping
n teenager: adolescent
n telegram: wire
n telegrapher: telegraph operator
n telephone: phone
n temerity: audacity
n temper: mood, humor, irritation
n tempo: pacing
n ten: 10
n tenancy: occupancy
n tendency: inclination
n tenement: tenement house
n tension: stress
n tenth: one-tenth
n tenure: term of office
n terminal: depot
n termination: expiration
n terms: price, footing
n territory: district
n terror: panic
n test: trial
n testament: will
n testicle: ball
n testimonial: tribute, testimony
n textile: cloth, fabric, material
n thaw: thawing, melting
n theater: theatre
n theatre: theater
n theme: subject, topic, motif
n theory: possibility, hypothesis
n therapist: healer
n thicket: brush
n thieving: stealing
n thinking: thought
n third: one-third
n thirst: hunger
n thirty: 30
n thought: idea, thinking
n threat: menace
n three: 3, trio
n thrill: chill, kick, quiver
n throttle: accelerator
n thrust: drive, push, knife thrust, driving force
n thumping: thud
n thunder: roar, boom, roaring
n thyroid: thyroid gland
n tidings: news, word
n tie: necktie, affiliation, association
n timber: lumber
n timbre: tone, quality
n time: clip
n tit: breast
n toad: frog
n toilet: pot, lavatory, john, privy
n toll: cost, price
n tomb: grave
n tons: lots, dozens, scores, wads
n tool: instrument
n topic: matter, subject, theme, issue
n torment: agony, anguish, torture
n torrent: downpour, cloudburst
n torso: body
n total: amount, sum, aggregate
n tour: circuit, spell
n tower: column
n trace: suggestion, vestige, shadow
n track: course
n trade: craft
n trademark: hallmark, stylemark
n trader: dealer
n tradition: custom
n tragedy: disaster, calamity, catastrophe
n train: railroad train
n trance: spell
n transfer: transportation
n transformation: shift, transmutation
n transition: conversion, passage
n transmission: transmitting
n transmutation: shift, transformation
n transport: shipping
n transportation: transfer
n traveler: traveller
n tread: stride, pace
n treasure: gem
n treatment: handling
n treaty: pact
n trial: run, test
n tribute: testimonial
n trio: three, 3
n triumph: victory
n trooper: cavalryman
n troops: military personnel, soldiery
n trouble: problem
n trough: gutter
n troupe: company
n trunk: tree trunk
n trust: reliance
n try: effort, attempt, endeavor
n tsh: thyrotrophin, thyrotrophic hormone, thyroid-stimulating hormone
n tub: bathtub
n tube: tubing
n tubing: tube
n tularemia: rabbit fever
n tumor: tumour
n tumult: uproar
n tune: melody, strain
n turn: turning, bend, crook
n turning: turn
n twilight: dusk, nightfall
n twinge: pang
n twist: turn, device
n two: 2
n typhus: typhus fever
n typing: typewriting
n tyranny: dictatorship
n ulcer: ulceration
n ultraviolet: ultraviolet light, ultraviolet radiation, ultraviolet illumination
n uncertainty: doubt
n understanding: apprehension
n union: labor union
n uniqueness: singularity
n unity: integrity
n universe: world, existence, cosmos
n upkeep: maintenance, care
n uproar: tumult, hubbub
n upset: disturbance, perturbation
n uptake: intake, consumption
n urge: impulse
n urging: spur
n usage: use, utilization, exercise, employment
n use: usage, utilization, exercise, employment
n usefulness: utility
n utility: public utility
n utilization: use, usage, exercise, employment
n vacation: holiday
n valor: heroism, gallantry
n valuation: rating, evaluation
n vanity: conceit
n variety: mixture, diversity, assortment, potpourri
n veil: head covering
n velocity: speed
n ventilation: ventilating system
n venture: speculation
n veranda: verandah
n verge: brink
n verse: poetry, rhyme
n version: variation
n verve: vitality
n vestibule: hall, lobby, foyer, entrance hall
n vicinity: neighborhood, locality, neighbourhood
n victory: triumph
n video: picture
n view: position, perspective
n viewpoint: point of view, standpoint, stand
n vigilance: alertness
n village: small town, settlement
n villain: scoundrel
n violation: misdemeanor
n violence: force
n violin: fiddle
n virtue: merit
n visage: physiognomy, countenance
n vision: sight
n vitality: verve
n vocabulary: lexicon
n vocation: career
n vogue: style
n volley: burst, salvo
n volume: mass, bulk
n vote: voting, ballot
n voter: elector
n voting: vote, ballot
n vowel: vowel sound
n wage: pay, salary, earnings, remuneration
n wages: reward
n wail: lamentation
n wait: delay, waiting
n waiting: wait
n walk: pass, base on balls
n war: warfare
n wardrobe: closet
n warfare: war
n warmth: heat
n warning: admonition, word of advice
n wash: washing
n washing: wash
n waste: waste material
n wastewater: effluent
n watching: observation, observance
n water: body of water
n wattle: lappet
n way: manner, style, fashion, mode
n weapon: weapon system, arm
n weariness: fatigue
n web: entanglement
n wedding: marriage, wedding ceremony
n welfare: benefit, social welfare
n welter: jumble, muddle
n wheel: steering wheel
n while: spell
n whirring: whir
n whiskey: whisky
n whisky: whiskey
n white: whiteness
n whore: prostitute
n width: breadth
n wildcat: brute, beast
n wildness: fury, violence, ferocity, fierceness
n will: volition, testament
n wing: backstage, offstage
n winter: wintertime
n wire: conducting wire
n wish: wishing, want
n wit: humor, brain, mentality
n witness: spectator, viewer, watcher
n wizard: star, ace, sensation, virtuoso, genius, hotshot
n woe: suffering
n wonder: curiosity, admiration, marvel
n wood: woods, forest
n woods: forest, wood
n wool: woolen
n workbench: bench
n workout: exercise, exercising
n works: plant
n workshop: shop
n world: universe, existence, cosmos
n worry: headache, concern, trouble
n wrangle: row, quarrel
n wrestling: grappling
n wretch: poor devil
n wrinkle: line
n writer: author
n writing: authorship, composition
n yard: grounds
n year: yr
n yearning: longing
n years: long time, old age
n yell: cry, call, shout, outcry
n yield: output
n youngster: child, kid, minor
n zeal: ardor
n zero: nothing, 0, naught
`;
