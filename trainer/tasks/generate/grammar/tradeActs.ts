/**
 * Acts of particular trades (front desks, wards, gardens, kitchens, operations), in the form of actsTable.ts. A verb with
 * "-person" is said of somebody: a guest is not lent when he checks out.
 */
export const TRADE_ACTS = `checkin-person arrive
! check {o} in; check in {o}; sign {o} in; book {o} in; register {o}; put {o} down as here
? can {o} check in; can you check {o} in; can {o} come in; could you sign {o} in
. {o} is here; {o} has arrived; {o} is at the desk; {o} just came in; {o} wants to check in; {o} would like to check in; {o} turned up
checkout-person leave depart
! check {o} out; check out {o}; sign {o} out; book {o} out; see {o} off
? can {o} check out; can you check {o} out; can {o} leave; could you sign {o} out
. {o} is leaving; {o} wants to check out; {o} would like to check out; {o} is going home; {o} has left; {o} is off now; {o} is done here
clockin signin
! clock {o} in; sign {o} in; stamp {o} in; put {o} down as working
? can you clock {o} in; can {o} start
. {o} is starting; {o} has come to work; {o} is here; {o} starts now
clockout signout
! clock {o} out; sign {o} out; stamp {o} out
? can you clock {o} out; can {o} stop
. {o} is going home; {o} is done for today; {o} has finished; {o} stops now
restart reboot reset
! restart {o}; reboot {o}; reset {o}; bounce {o}; start {o} again; turn {o} off and on again; give {o} a restart
? can you restart {o}; can {o} be restarted; could you bounce {o}; does {o} need a reset
. {o} is stuck; {o} hangs; {o} needs a restart; {o} doesn't react any more; {o} has frozen up; {o} should start afresh
clean wash tidy sweep mop vacuum cleanup tidyup
! clean {o}; give {o} a clean; tidy up {o}; clean up {o}; get {o} cleaned; have {o} cleaned; send someone to clean {o}; make {o} nice again
? can {o} be cleaned; can someone clean {o}; can you get {o} clean; could {o} get a clean
. {o} is dirty; {o} is a mess; {o} needs cleaning; {o} wants cleaning; {o} has to be clean again; someone spilled something in {o}
waive forgive excuse writeoff letoff
! waive {o}; let {o} off; forgive {o}; write off {o}; drop {o}; strike {o} off; forget about {o}
? can {o} be waived; can you let {o} off; could we drop {o}; can {o} be forgiven
. nobody should have to pay {o}; {o} need not be paid; I'd like to see {o} waived; {o} was our mistake
acknowledge ack
! acknowledge {o}; ack {o}; take {o}; say that we have seen {o}; mark {o} as seen; confirm {o}
? can you ack {o}; can someone acknowledge {o}; has anybody seen {o}
. I'm on {o}; I have seen {o}; we know about {o}; I'm looking at {o}; {o} is known
silence snooze mute
! silence {o}; snooze {o}; mute {o}; quiet {o}; keep {o} quiet; hush {o}; make {o} shut up
? can you silence {o}; can {o} be quiet; can {o} be snoozed
. {o} is too loud; {o} keeps going off; I don't want to hear {o}; {o} won't stop; {o} is just noise
deploy rollout
! deploy {o}; roll out {o}; release {o}; ship {o}; push {o} out; bring {o} live; put {o} live
? can {o} go live; can we roll out {o}; can you deploy {o}; is {o} ready to go live
. {o} should go live; {o} can go out; I want {o} live; {o} is ready for release
rollback revert
! roll back {o}; roll {o} back; revert {o}; back out {o}; undo {o}; go back on {o}; take {o} back
? can we roll back {o}; can you back out {o}; can {o} be reverted
. {o} broke something; {o} was a mistake; {o} has to come out again; we need to go back on {o}; {o} went wrong
scale resize
! scale {o}; resize {o}; bring {o}; set {o}; size {o}; put {o}
? can {o} be scaled; can you scale {o}; could {o} run
. {o} can't keep up; {o} needs another size; {o} should be scaled; there's too much going on for {o}
merge combine
! merge {o}; combine {o}; join {o}; put {o} together; bring {o} together; make one of {o}
? can you merge {o}; can {o} be merged; is {o} ready to be merged
. {o} belongs together; {o} should be one; {o} can be merged
split divide
! split {o}; divide {o}; break up {o}; cut up {o}; part {o}
? can {o} be split; can you split {o}; can we divide {o}
. we'd like to split {o}; {o} is too much for one; {o} should be split
replace exchange swap substitute
! swap {o}; exchange {o}; replace {o}; change {o}; trade {o} in; put something else in for {o}
? can I swap {o}; can I exchange {o}; can {o} be replaced; could I have another in place of {o}
. {o} is the wrong one; {o} needs replacing; I'd rather have another than {o}; {o} has had its day; I'd like to exchange {o}
submit handin
! submit {o}; hand in {o}; put in {o}; send in {o}; file {o}; turn in {o}
? can I hand in {o}; can you submit {o}; can {o} go in
. {o} is ready to go in; I want to hand in {o}; I'd like to put in {o}; {o} has to be in
claim redeem
! redeem {o}; use {o}; cash in {o}; claim {o}; apply {o}; take {o} off the price
? can I use {o}; can I redeem {o}; is {o} still good; can I still use {o}
. I have {o}; I'd like to use {o}; I want to cash in {o}; I've got {o} to use
donate contribute
! donate {a}; give {a}; contribute {a}; chip in {a}; put in {a}
? can I give {a}; can I donate {a}
. I'd like to donate {a}; I want to give {a}; I'm happy to chip in {a}
water irrigate
! water {o}; give {o} some water; give {o} a drink; irrigate {o}; get some water on {o}
? can you water {o}; can {o} get some water; does {o} need water
. {o} is dry; {o} looks thirsty; {o} needs water; {o} is wilting; {o} hasn't had water for days
feed
! feed {o}; give {o} food; give {o} a meal; put food out for {o}
? can you feed {o}; can {o} have something to eat; has {o} been fed
. {o} is hungry; {o} hasn't eaten; {o} needs food; it's time to feed {o}
plant sow
! plant {a}; sow {a}; put in {a}; grow {a}; set {a}
? can we plant {a}; can I put in {a}; is there room for {a}
. I'd like to grow {a}; I want to plant {a}; it's time for {a}
harvest reap
! harvest {o}; pick {o}; bring in {o}; gather {o}; take in {o}
? can we pick {o}; is {o} ripe; can {o} be harvested
. {o} is ripe; {o} is ready; {o} can come in; it's time to pick {o}
admit hospitalize
! admit {o}; take {o} in; bring {o} in; give {o} a bed; put {o} on the ward
? can we admit {o}; can {o} come in; is there a bed for {o}
. {o} has to come in; {o} needs a bed; {o} should stay; {o} is coming in
discharge
! discharge {o}; let {o} go home; send {o} home; release {o}; let {o} out
? can {o} go home; can we discharge {o}; can {o} leave
. {o} can go home; {o} is well enough to leave; {o} is going home; {o} may go
treat vaccinate immunize examine
! treat {o}; see to {o}; give {o} a treatment; take care of {o}; look after {o}
? can you treat {o}; can {o} be seen; can someone see to {o}
. {o} needs treatment; {o} is due; {o} isn't well; {o} has to be seen
prescribe dispense administer
! give {o}; hand out {o}; put {w} on {e}; give {w} {e}; let {w} have {e}; prescribe {o}; give out {o}
? can {w} have {e}; can we give {o}; could {w} get {e}
. {w} needs {e}; {w} should take {e}; {w} is to have {e}; {o} is needed
openrecord
! open {a}; raise {a}; put in {a}; start {a}; create {a}; log {a}; get {a} opened; file {a}; make {a}; set up {a}
? can you open {a}; could you raise {a}; can we have {a}; is it possible to open {a}; can you put in {a}
. I need {a}; we need {a}; I'd like to open {a}; there should be {a}; I have {a} for you; I have to raise {a}
freeze
! freeze {o}; put {o} on ice; block {o}; lock {o}; stop {o}; put a hold on {o}
? can you freeze {o}; can {o} be frozen; can you block {o}
. {o} should be frozen for now; nobody should use {o} for now; {o} has to be on hold; {o} must not be used
unfreeze thaw
! unfreeze {o}; unblock {o}; unlock {o}; let {o} work again; take the hold off {o}
? can you unfreeze {o}; can I use {o} again; can {o} be unblocked
. {o} should work again; I would like to use {o} again; {o} can be used again; {o} is no longer on hold
activate reactivate
! activate {o}; make {o} active; switch {o} on; turn {o} on; bring {o} back; set {o} to active
? can you activate {o}; can {o} be active again; could you turn {o} on
. {o} should be active; {o} is back; {o} should work again; I want {o} active
deactivate
! deactivate {o}; make {o} inactive; switch {o} off; turn {o} off; set {o} to inactive; disable {o}
? can you deactivate {o}; can {o} be switched off; could you turn {o} off
. {o} should be inactive; {o} is not needed any more; I want {o} inactive; {o} should be switched off
reinstate
! reinstate {o}; bring {o} back; let {o} back in; lift the suspension of {o}; make {o} active again
? can you reinstate {o}; can {o} come back; could {o} be active again
. {o} may come back; {o} should be active again; {o} is back; the suspension of {o} is over
unpublish
! unpublish {o}; take {o} down; take {o} offline; hide {o}; withdraw {o}
? can you unpublish {o}; can you take {o} down; can {o} go offline
. {o} should be offline; {o} should not be seen any more; I want {o} taken down; {o} has to come down
hide
! hide {o}; keep {o} out of sight; take {o} off the list; don't show {o}
? can you hide {o}; can {o} be hidden; could you keep {o} out of sight
. {o} should be hidden; nobody should see {o}; I don't want {o} shown; {o} should not be seen
pin star feature
! pin {o}; keep {o} on top; put {o} on top; star {o}; put {o} first
? can you pin {o}; can {o} be on top; could you keep {o} at the top
. {o} should be on top; I want {o} at the top; {o} should come first; everyone should see {o}
unpin unstar unfeature
! unpin {o}; take {o} off the top; unstar {o}; stop showing {o} first
? can you unpin {o}; can {o} come off the top; could you unstar {o}
. {o} need not be on top any more; I don't want {o} at the top; {o} should not come first
arm engage
! arm {o}; switch {o} on; turn {o} on; set {o}; activate {o}
? can you arm {o}; can {o} be armed; could you switch {o} on
. {o} should be armed; {o} should be on; we are leaving, {o} should be on; I want {o} armed
disarm disengage
! disarm {o}; switch {o} off; turn {o} off; deactivate {o}
? can you disarm {o}; can {o} be disarmed; could you switch {o} off
. {o} should be off; we are back, {o} can be off; {o} can be disarmed; I want {o} off
ban kick
! ban {o}; kick {o} out; block {o}; lock {o} out; keep {o} out; throw {o} out
? can you ban {o}; can we keep {o} out; can {o} be blocked
. {o} has to go; {o} broke the rules; I don't want {o} here; {o} should be kept out
follow subscribe
! follow {o}; subscribe to {o}; keep me posted on {o}; keep an eye on {o}; sign me up for {o}
? can I follow {o}; can I get news of {o}; can I subscribe to {o}
. I'd like to follow {o}; I want to hear from {o}; I don't want to miss {o}
unfollow unsubscribe
! unfollow {o}; unsubscribe from {o}; stop following {o}; take me off {o}; get me off {o}
? can I unfollow {o}; can I get off {o}; can you take me off {o}
. I no longer want to hear from {o}; I'm tired of {o}; {o} sends too much; I've had enough of {o}
like favourite favorite
! like {o}; star {o}; give {o} a like; put {o} among my favourites; heart {o}
? can I like {o}; can you star {o}
. I like {o}; I love {o}; {o} is great; {o} is one of my favourites
reply answer respond
! reply to {o}; answer {o}; write back to {o}; respond to {o}; get back to {o}
? can you reply to {o}; can someone answer {o}; has anyone answered {o}
. {o} is waiting for an answer; I want to answer {o}; {o} needs a reply
comment remark
! comment on {o}; leave a comment on {o}; leave a note on {o}; add a remark to {o}; write under {o}
? can I comment on {o}; can you leave a note on {o}
. I'd like to comment on {o}; I want to say something on {o}; I have a remark on {o}
draft compose write
! write {a}; draft {a}; compose {a}; put together {a}; word {a}; prepare {a}
? can you write {a}; can you draft {a}; could you put together {a}
. I need {a}; I have to write {a}; I'd like {a} drafted
park
! park {o}; put {o} somewhere; find a place for {o}; leave {o}
? where can I leave {o}; can I park {o}; is there a place for {o}
. {o} needs a place; I need to park {o}; {o} can stay there
brew cook bake
! make {a}; brew {a}; cook {a}; put on {a}; get {a} going; prepare {a}
? can I have {a}; could you make {a}; can I get {a}
. I'd like {a}; I feel like {a}; I could do with {a}; I want {a}
play
! play {o}; put on {o}; let me hear {o}; start {o}; give me {o}
? can you play {o}; could you put on {o}; can I hear {o}
. I want to hear {o}; I'd like to listen to {o}; I'm in the mood for {o}
skip
! skip {o}; leave out {o}; go past {o}; pass over {o}
? can we skip {o}; can you pass over {o}
. I don't want {o}; not {o}; I've had enough of {o}
topup recharge refill restock replenish fillup
! top up {o}; fill up {o}; refill {o}; put more on {o}; recharge {o}; stock up {o}
? can you top up {o}; can {o} be filled up; can I put more on {o}
. {o} is running low; {o} is nearly empty; {o} needs topping up; there's hardly any left of {o}
pack wrap
! pack {o}; wrap up {o}; box {o}; put {o} in a box; get {o} packed
? can you pack {o}; can {o} be packed; is {o} packed
. {o} has to be packed; {o} can be wrapped; {o} is ready for packing
weigh
! weigh {o}; put {o} on the scales; measure {o}; take the measure of {o}
? how heavy is {o}; what does {o} weigh; can you weigh {o}; how big is {o}
. I need to know how heavy {o} is; {o} has to be weighed
sign countersign
! sign {o}; put my name under {o}; sign off {o}; put a signature to {o}
? can you sign {o}; can {o} be signed; where do I sign {o}
. {o} needs a signature; {o} still has to be signed; I'm ready to sign {o}
promote upgrade
! move {o} up; promote {o}; upgrade {o}; bump {o} up; give {o} a step up
? can {o} be upgraded; can you move {o} up; can {o} get something better
. {o} deserves better; {o} should move up; I'd like {o} upgraded
demote downgrade
! move {o} down; demote {o}; downgrade {o}; bump {o} down
? can {o} be downgraded; can you move {o} down
. {o} can do with less; {o} should move down; I'd like {o} downgraded
`;
