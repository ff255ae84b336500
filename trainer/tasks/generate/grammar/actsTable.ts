/**
 * Acts of any kind of tool, by what people say for them.
 *
 * One block an act. First line: the verbs of tool names. Then `!` orders, `?` questions, `.` statements that ask
 * without asking.
 * {o} the thing with what names it ("the order O-17", "Dune"), {os} things ("open orders"), {a} a new one ("a table"),
 * {n} a score, {c} and {d} how the weather is, {e} what {w} gets (slots.ts): such a text is said where there is one;
 * everything else that is to be said follows at the end.
 */
export const COMMON_ACTS = `
find search lookup locate query discover
! find {o}; search for {o}; look up {o}; look for {o}; locate {o}; dig up {o}; hunt down {o}; see if you can find {o}; check for {o}
? do you have {os}; have we got {os}; is there {a}; are there any {os}; what {os} are there; which {os} do we have; got any {os}; any {os} here; where can I find {o}; anything in the way of {os}; what have you got in {os}; what have we got; is there anything; do you have anything; have we got anything
. I'm looking for {o}; I'm after {o}; I can't find {o}; I need to find {o}; looking for {os}; I'm trying to find {o}; I was wondering about {os}
list browse enumerate
! list {os}; show me {os}; give me {os}; show all {os}; let me see {os}; pull up {os}; run through {os}; give me a list of {os}; bring up {os}; go through {os} with me
? what {os} are there; which {os} are there; what are {os}; what do we have in {os}; how many {os} are there; can I see {os}; what {os} do we have; which {os} have we got; what's on the list of {os}; what's there
. I'd like to see {os}; I want an overview of {os}; I need all {os}; I'd like to know which {os} there are
get read fetch show open view display retrieve inspect describe see details
! get {o}; show me {o}; open {o}; pull up {o}; tell me about {o}; give me the details of {o}; bring up {o}; let me see {o}; fetch {o}; read {o}; look at {o}; give me {o}; tell me more about {o}; give me the full story on {o}
? what do we know about {o}; what is {o}; what's {o}; what about {o}; can I see {o}; how does {o} look; what's in {o}; what's the story with {o}; who or what is {o}
. I'd like to know more about {o}; I want to see {o}; I need the details on {o}; I need to know about {o}; I'd like to have a look at {o}
check verify test validate confirm
! check {o}; verify {o}; make sure about {o}; have a look at {o}; double-check {o}; see about {o}; tell me whether {o} is fine; confirm {o}
? is {o} ok; is {o} fine; is {o} right; how is {o}; how does it look with {o}; what about {o}; is {o} all right; does {o} still hold
. I'm not sure about {o}; I'd like to be sure about {o}; I need to know if {o} is ok; I'm wondering about {o}
track status trace follow
! track {o}; follow {o}; check on {o}; give me the status of {o}; tell me how {o} is doing; see how far {o} is; find out where {o} is
? where is {o}; where's {o}; how far along is {o}; what's the status of {o}; what's happening with {o}; is there news on {o}; any news on {o}; has {o} arrived; is {o} on its way; what's up with {o}; when will {o} come; how is {o} coming along; what became of {o}
. I'm still waiting for {o}; I haven't heard anything about {o}; I'm wondering where {o} is; I want to know how {o} is going
availability available free
! check if {o} is free; see whether {o} is available; find out if {o} is open; check {o}
? is {o} available; is {o} free; is {o} still there; can I have {o}; is {o} taken; is {o} still to be had; what's free; is there room; when is {o} free; do you have {o}; is {o} in
. I'd like to know if {o} is free; I was hoping for {o}; I'm wondering whether {o} is available
create add make new insert put register record log enter file setup drawup
! create {a}; add {a}; make {a}; put in {a}; set up {a}; enter {a}; put down {a}; record {a}; note down {a}; log {a}; write down {a}; start {a}; open {a}; draw up {a}; file {a}; give {w} {e}; let {w} have {e}; put {w} down for {e}; get {w} {e}; put {e} on {w}
? can I have {a}; could we get {a}; can {w} have {e}; could {w} get {e}; what about {e} for {w}; is {e} possible for {w}; could there be {a}; is it possible to have {a}; may I add {a}
. I need {a}; I'd like {a}; I want {a}; we need {a}; there's {a} to be added; I have {a} to add; I have {a} for you; there should be {a}; we've got {a}; {w} would like {e}; {w} wants {e}; {w} needs {e}; {w} asked for {e}; {w} asks for {e}; {w} could do with {e}; {w} should get {e}; {w} will have {e}; there's {e} for {w}
register enroll enrol signup join subscribe
! sign up {o}; register {o}; enrol {o}; put {o} down; add {o}; set {o} up; get {o} signed up
? can {o} join; can you take {o} on; can I sign up {o}; could {o} become one
. I'd like to join; {o} wants to join; {o} would like to sign up; we have someone new, {o}; {o} is new here
delete remove drop erase clear purge discard throwaway throwout takeoff
! delete {o}; remove {o}; drop {o}; get rid of {o}; throw {o} out; take {o} off; erase {o}; clear {o}; strike {o}; wipe {o}; take {o} out; kick {o} out
? can {o} go; can we lose {o}; can you take {o} off; could we get rid of {o}
. I don't need {o} any more; we don't need {o} anymore; {o} can go; {o} is no longer needed; I don't want {o}; {o} is obsolete; nobody needs {o}; {o} should be gone; I'm through with {o}
cancel void abort revoke withdraw annul calloff
! cancel {o}; call off {o}; call {o} off; scrap {o}; drop {o}; take back {o}; undo {o}; stop {o}; forget about {o}; get me out of {o}; withdraw {o}
? can I cancel {o}; can I still get out of {o}; is it too late to cancel {o}; can we call off {o}; can I back out of {o}
. I don't need {o} any more; I can't make it to {o}; {o} is off; {o} isn't happening; I changed my mind about {o}; I no longer want {o}; we won't need {o} after all; something came up, so no {o}; I won't be coming for {o}; {o} won't work for me
update change edit modify adjust alter correct fix amend
! change {o}; update {o}; edit {o}; adjust {o}; correct {o}; fix {o}; amend {o}; alter {o}; make a change to {o}; revise {o}
? can you change {o}; can {o} be changed; could we adjust {o}; is it possible to change {o}
. {o} is wrong; {o} has changed; {o} needs a change; there's a mistake in {o}; {o} should be different; {o} isn't right; I got {o} wrong
set configure
! set {o}; put {o}; change {o}; make {o}; adjust {o}; bring {o}; have {o} set; move {o}; turn {o}
? can you set {o}; could {o} be set; can we have {o}
. I want {o}; {o} should be set; I'd like {o}; {o} needs to be set
rename retitle
! rename {o}; call {o} something else; give {o} a new name; change the name of {o}
? can {o} have another name; can we rename {o}
. {o} needs a new name; {o} is named badly; {o} has the wrong name
book reserve hold schedule arrange plan
! book {a}; reserve {a}; get me {a}; arrange {a}; set up {a}; put me down for {a}; hold {a}; save {a}; keep {a}; sort out {a}; fix {a} up; pencil in {a}; schedule {a}; plan {a}; put aside {a}; line up {a}
? can I get {a}; can I book {a}; do you have {a}; could I have {a}; can I come in for {a}; is there a chance of {a}; may I reserve {a}; can you fit me in for {a}; could you squeeze in {a}
. I need {a}; I'd like {a}; I want {a}; I'm hoping to get {a}; we'd like {a}; I'd love {a}; we are going to need {a}; put me down for {a}
reschedule postpone delay defer shift putoff pushback bringforward
! move {o}; reschedule {o}; postpone {o}; push back {o}; push {o} back; shift {o}; put off {o}; delay {o}; bring {o} to another day; find another time for {o}
? can we move {o}; can {o} be moved; could we do {o} some other time; can we shift {o}; is another day possible for {o}
. I can't make {o}; {o} has to move; the time of {o} doesn't suit me; {o} comes at a bad time; something came up with {o}; I need another slot for {o}
send post mail deliver dispatch forward share
! send {a}; drop {a}; fire off {a}; pass on {a}; shoot over {a}; get {a} out; share {a}; forward {a}; post {a}
? can you send {a}; could you pass on {a}; can {a} go out
. I want to send {a}; {a} should go out; I need to get {a} out
message notify tell inform text email alert remind ping contact
! tell {o}; let {o} know; write to {o}; message {o}; inform {o}; drop {o} a line; ping {o}; remind {o}; give {o} a heads up; get in touch with {o}
? can you tell {o}; could you let {o} know; can someone tell {o}; does {o} know yet
. {o} should know; {o} needs to know; I want {o} to know; {o} has to be told
call phone dial ring
! call {o}; ring {o}; phone {o}; give {o} a ring; get {o} on the line; dial {o}
? can you call {o}; can you get {o} on the phone
. I want to talk to {o}; I need to speak to {o}; I have to talk to {o}
start run launch begin execute trigger play resume activate startup setoff kickoff
! start {o}; run {o}; launch {o}; kick off {o}; get {o} going; set {o} going; fire up {o}; begin {o}; put {o} on; set off {o}; resume {o}
? can you start {o}; can we begin with {o}; could you get {o} going
. I want {o} to start; {o} should be running; it's time for {o}; {o} can begin; let's have {o}
stop end halt terminate pause finish kill quit deactivate suspend shutdown
! stop {o}; end {o}; halt {o}; pause {o}; shut down {o}; finish {o}; bring {o} to an end; put {o} on hold; cut {o}; put a stop to {o}
? can you stop {o}; can {o} be stopped; can we pause {o}
. {o} should stop; I've had enough of {o}; {o} has run long enough; that's enough of {o}; {o} can stop now
enable turnon switchon unmute unblock
! turn on {o}; switch on {o}; enable {o}; turn {o} on; switch {o} on; put {o} on; activate {o}; allow {o}
? can you turn on {o}; is {o} on; could I have {o} on
. I need {o} on; {o} should be on; it needs {o}; I'd like {o} on
disable turnoff switchoff mute block
! turn off {o}; switch off {o}; disable {o}; turn {o} off; switch {o} off; shut off {o}; kill {o}; block {o}; silence {o}
? can you turn off {o}; is {o} still on; could {o} be off
. I don't need {o} on; {o} should be off; {o} is still on; {o} can go off; nobody needs {o} on
toggle switch flip
! switch {o}; toggle {o}; flip {o}; turn {o}; change {o} over
? can you switch {o}; could you flip {o}
. {o} needs to be switched; I want {o} switched
open unlock
! open {o}; unlock {o}; let me into {o}; open up {o}
? can you open {o}; could you unlock {o}; is {o} open
. {o} should be open; I can't get into {o}; I'm locked out of {o}; {o} is still locked
close lock shut
! close {o}; lock {o}; shut {o}; close up {o}; lock up {o}; close off {o}
? can you close {o}; is {o} locked; is {o} closed; did I close {o}
. {o} should be closed; {o} is still open; I left {o} open; {o} is not locked
close complete finish resolve finalize done archive tickoff checkoff wrapup closeout
! close {o}; finish {o}; wrap up {o}; mark {o} as done; complete {o}; tick off {o}; check off {o}; settle {o}; archive {o}; put {o} away
? can {o} be closed; is {o} done; can we wrap up {o}; can {o} be ticked off
. {o} is done; I'm done with {o}; {o} is finished; we finished {o}; {o} is dealt with; {o} is taken care of; {o} is ready; I have dealt with {o}
borrow checkout lend loan rent hire issue lendout loanout giveout handout rentout hireout
! lend me {o}; check out {o}; let me have {o}; borrow {o}; give out {o}; rent {o}; hand out {o}; let me take {o}; sign out {o}; book out {o}
? can I borrow {o}; can I take {o} home; may I have {o}; can I take {o} with me; could I get {o}; can I rent {o}; can I take {o} out
. I'd like to borrow {o}; I want to take {o}; I'd like to have {o} for a while; I'm taking {o}; {o} is leaving with me; I need {o} for some days; I'd like to take {o} home
return checkin giveback bringback takeback putback
! return {o}; take back {o}; check in {o}; bring back {o}; give back {o}; take {o} back; put {o} back
? can I give {o} back; can I return {o}; can I bring {o} back; where do I return {o}
. I'm done with {o}; I'm bringing back {o}; here's {o} back; I brought {o} back; {o} is back; {o} came back; I'm through with {o}; I have {o} here to give back; I've finished {o}
renew extend prolong continue
! renew {o}; extend {o}; prolong {o}; give me more time for {o}; keep {o} going; add time to {o}; let me keep {o} longer; carry on with {o}
? can I keep {o} longer; can I have more time with {o}; can I get an extension on {o}; can {o} be extended; can I hang on to {o}
. I need more time with {o}; I haven't finished {o} yet; I'm not done with {o}; I'd like to keep {o} a bit longer; {o} runs out soon; I need {o} for longer
pay charge bill settle
! pay {o}; settle {o}; pay off {o}; take care of {o}; charge {o}; clear {o}; square {o}
? can I pay {o}; can I settle {o}; how can I pay {o}; can you charge {o}
. I'd like to pay {o}; I want to settle {o}; here's the money for {o}; I still owe {o}; {o} is still unpaid
refund reimburse repay
! refund {o}; give the money back for {o}; pay back {o}; reimburse {o}; return the money for {o}; give me my money back for {o}
? can I get my money back for {o}; can you refund {o}; can I have a refund for {o}; do I get money back for {o}
. I want my money back for {o}; I'm owed money for {o}; I never got {o}, so I want my money; I'd like a refund for {o}; {o} was broken, I want my money back
buy order purchase
! buy {a}; order {a}; get {a}; get me {a}; purchase {a}; pick up {a}; go for {a}; place an order for {a}
? can I have {a}; can I get {a}; could we order {a}; can I buy {a}; how about {a}
. I'd like {a}; I want {a}; I'll take {a}; we need {a}; we're out of it, so {a}; we're running low, so {a}; I'll have {a}
sell trade
! sell {o}; get rid of {o}; trade {o}; put {o} up for sale; find a buyer for {o}
? can I sell {o}; could we sell {o}
. I want to sell {o}; I don't want to hold {o} any longer; {o} is for sale
price cost quote estimate fee rate
! tell me the price of {o}; work out the price for {o}; give me a quote for {o}; price {o}; say what {o} would be
? how much is {o}; what does {o} cost; what would {o} cost; how much for {o}; what do I pay for {o}; how expensive is {o}; what's the price of {o}; what's the damage for {o}; what will {o} set me back; how much is it; what would it cost; what would it be; how much would it be; what do I pay
. I'd like to know what {o} costs; I need a price for {o}; I wonder what {o} would cost
compute calculate calc total sum average
! work out {o}; figure out {o}; calculate {o}; compute {o}; tell me {o}; find {o}; add up {o}; do the sums for {o}
? what is {o}; what's {o}; how much is {o}; what does {o} come to; what do we get for {o}; what would {o} be; what does {o} add up to
. I need {o}; I'd like to know {o}; I have to know {o}; I need a number for {o}
count number howmany
! count {os}; tell me how many {os} there are; add up {os}; give me the number of {os}
? how many {os} are there; how many {os} do we have; what's the number of {os}; how many {os}
. I need to know how many {os} there are; I'd like the number of {os}
convert translate transform turn
! convert {o}; turn {o}; change {o}; translate {o}; put {o}; express {o}
? how much is {o}; what is {o}; what's {o}; how do you say {o}; what would {o} be; what does {o} make
. I need {o} converted; I have {o} and need it converted; I'd like to have {o} converted
compare rank measure rate
! compare {o}; rank {o}; set {o} side by side; measure {o}; weigh up {o}
? which is better, {o}; how do {o} compare; what's the difference between {o}
. I can't decide between {o}; I'd like to see {o} side by side
distance route directions navigate
! tell me the way to {o}; give me directions for {o}; find a route for {o}; take me through {o}; measure {o}
? how far is it; how do I get there; how long does it take; what's the best way; how far apart are they; what's the way
. I need to get there; I'd like to know how far it is; I'm planning the trip
assign allocate appoint delegate handover
! assign {o}; give {o}; hand {o} over; put someone on {o}; allot {o}; pass {o} on; let someone have {o}
? who can take {o}; can someone take {o}; can {o} be given to someone; can you give {o}
. {o} needs somebody; someone should take {o}; {o} has nobody yet; I want {o} to be taken care of
move transfer shift relocate
! move {o}; transfer {o}; shift {o}; put {o} elsewhere; bring {o} over; take {o} over; carry {o} over
? can {o} be moved; can you move {o}; could {o} go elsewhere
. {o} should be moved; {o} is in the wrong place; {o} has to go; {o} belongs elsewhere
approve accept confirm allow grant authorize signoff
! approve {o}; accept {o}; give the go-ahead for {o}; say yes to {o}; sign off {o}; sign off on {o}; confirm {o}; ok {o}; wave {o} through
? can {o} go ahead; can you approve {o}; is {o} ok to go
. {o} is fine with me; I'm happy with {o}; {o} can go ahead; {o} looks good; I agree to {o}
reject decline deny refuse
! reject {o}; turn down {o}; say no to {o}; decline {o}; refuse {o}; turn {o} down
? can you reject {o}; can we say no to {o}
. {o} won't do; I don't agree to {o}; no to {o}; {o} is not acceptable; we can't accept {o}
rate review score evaluate
! rate {o}; give {o} a rating; review {o}; score {o}; grade {o}; leave a rating for {o}; rate {o} {n}; give {o} {n}; give {n} to {o}; give {o} a rating of {n}
? can I rate {o}; where can I review {o}; can you give {o} {n}; could {o} get {n}
. I liked {o}; I'd like to rate {o}; {o} deserves a rating; {o} deserves {n}; I'd give {o} {n}; {o} gets {n} from me
save store keep bookmark
! save {o}; store {o}; keep {o}; put {o} away; hold on to {o}; remember {o}; make a note of {o}
? can you save {o}; can I keep {o}; could you remember {o}
. I want to keep {o}; {o} should be kept; I don't want to lose {o}; {o} is worth keeping
attach append link connect
! attach {o}; add {o}; link {o}; connect {o}; hook up {o}; tie {o}
? can you attach {o}; can {o} be connected; could you link {o}
. {o} should be attached; {o} belongs to it; I'd like {o} linked
restore undo recover revert reopen unarchive
! restore {o}; bring back {o}; undo {o}; get {o} back; recover {o}; reopen {o}; put {o} back the way it was
? can I get {o} back; can {o} be restored; can we undo {o}
. I lost {o}; I deleted {o} by mistake; {o} should come back; I want {o} back
print export download backup copy duplicate
! print {o}; export {o}; download {o}; copy {o}; make a copy of {o}; give me a copy of {o}; run off {o}
? can I have a copy of {o}; can I download {o}; could you print {o}
. I need a copy of {o}; I need {o} on paper; I'd like {o} as a file
upload import load publish
! upload {o}; import {o}; bring in {o}; load {o}; publish {o}; put {o} up; put {o} online
? can you load {o}; can {o} go online; can I put up {o}
. {o} should go online; I want {o} out there; {o} is ready to go up
repair fix service mend
! repair {o}; fix {o}; mend {o}; have {o} looked at; get {o} working again; service {o}
? can you fix {o}; can {o} be repaired; can someone look at {o}
. {o} is broken; {o} doesn't work; something's wrong with {o}; {o} is acting up; {o} gave up
report flag complain raise escalate
! report {o}; flag {o}; make a note about {o}; raise {o}; pass {o} on to someone; escalate {o}
? who do I tell about {o}; where can I report {o}; can I report {o}
. I'd like to complain about {o}; there's a problem with {o}; something's wrong with {o}; there's trouble with {o}
help recommend suggest propose pick choose
! recommend {os}; suggest {os}; pick {os}; propose {os}; choose {os}; give me ideas for {os}
? what would you recommend; which {os} would you take; what {os} are good; what do you suggest; any ideas for {os}
. I can't decide on {os}; I need ideas for {os}; I'm open for suggestions
forecast weather predict
! tell me {o}; give me {o}; check {o}; predict {o}; look up {o}; tell me what {o} will be; see if it will be {c}; check if there is any {d}
? what will it be like; what's {o}; what's {o} like; how's {o}; what will {o} be; what will {o} be like; how will {o} be; what is {o} going to be; is it going to be {c}; will it be {c}; is it {c}; how {c} will it be; will there be {d}; is there {d}; any {d}; is {d} expected
. I'd like to know what it will be like; I need to know {o}; I'm wondering what to expect; I need to know what's coming; I'd like to know what {o} will be; I'd like to know if it will be {c}; I need to know if there will be {d}
sync refresh reload update
! refresh {o}; sync {o}; reload {o}; bring {o} up to date; update {o}
? can you refresh {o}; is {o} up to date
. {o} is out of date; {o} is stale; {o} should be up to date
ship deliver sendout
! ship {o}; send out {o}; get {o} on its way; deliver {o}; dispatch {o}; hand {o} to the carrier
? can {o} go out; when can {o} go out; could you send {o} off
. {o} is ready to go; {o} is packed; {o} should go out
increase raise boost up turnup
! raise {o}; increase {o}; turn up {o}; turn {o} up; bring {o} up; push {o} up; make {o} higher
? can you turn up {o}; could {o} be higher; can I have more {o}
. {o} is too low; I need more {o}; {o} should be higher; not enough {o}
decrease lower reduce down dim turndown
! lower {o}; reduce {o}; turn down {o}; turn {o} down; bring {o} down; cut {o}; make {o} less
? can you turn down {o}; could {o} be lower; can I have less {o}
. {o} is too high; {o} is too much; {o} should be lower; I need less {o}
tag label mark categorize
! mark {o}; tag {o}; label {o}; flag {o}; put a label on {o}
? can you mark {o}; can {o} be tagged
. {o} should be marked; I want {o} marked; {o} needs a label
summarize summarise explain brief
! sum up {o}; summarise {o}; give me the gist of {o}; explain {o}; break down {o}; put {o} in a nutshell
? what's the gist of {o}; what does {o} say; what is {o} about; what's in {o}
. I have no time for all of {o}; I need the short version of {o}; I don't get {o}
invite
! invite {o}; ask {o} to come; bring in {o}; have {o} join
? can {o} come; could you invite {o}; can {o} join
. {o} should come; I'd like {o} to be there; {o} should be asked
vote
! vote for {o}; give {o} my vote; put me down for {o}
? can I vote for {o}
. my vote goes to {o}; I'm for {o}
wake alarm timer
! set {a}; wake me; start {a}; give me {a}; put on {a}
? can you wake me; can I have {a}; could you set {a}
. I have to get up; I need {a}; I must not oversleep
`;
