//! Asks the kernel for routes and addresses (rtnetlink(7)).
//!
//! The kernel replies within the system call itself, so a request needs neither a thread nor a deadline.

use std::io::{Error, Result};
use std::net::IpAddr;

use netlink_packet_core::{
    DecodeError, Emitable, NLM_F_DUMP, NLM_F_REQUEST, NetlinkDeserializable, NetlinkHeader,
    NetlinkMessage, NetlinkPayload, NetlinkSerializable, Parseable,
};
use netlink_packet_route::AddressFamily;
use netlink_packet_route::address::{AddressAttribute, AddressMessage};
use netlink_packet_route::neighbour::{NeighbourAddress, NeighbourAttribute, NeighbourMessage};
use netlink_packet_route::route::{
    RouteAddress, RouteAttribute, RouteFlags, RouteMessage, RouteType, RouteVia,
};
use netlink_sys::protocols::NETLINK_ROUTE;
use netlink_sys::{Socket, SocketAddr};
use rustix::net::netdevice::index_to_name;

use super::{Neighbour, OwnAddress, Route};

/// The route to a peer. `scope` is the interface index of an IPv6 link-local address, or 0.
pub fn route(peer: IpAddr, scope: u32) -> Result<Route> {
    let mut question = RouteMessage::default();
    question.header.address_family = family(peer);
    question.header.destination_prefix_length = if peer.is_ipv4() { 32 } else { 128 };
    question.header.flags = RouteFlags::FibMatch;
    question.attributes = vec![RouteAttribute::Destination(RouteAddress::from(peer))];
    if scope != 0 {
        question.attributes.push(RouteAttribute::Oif(scope));
    }
    let mut kernel = Kernel::connect()?;
    let answers = kernel.ask(question, 0)?;
    let route = answers.first();
    let route = route.ok_or_else(|| Error::other("the answer has no route"))?;
    let interface = route
        .attributes
        .iter()
        .find_map(|attribute| match attribute {
            RouteAttribute::Oif(index) => Some(*index),
            _ => None,
        });
    let kind = route.header.kind;
    Ok(Route {
        is_local: kind == RouteType::Local,
        has_gateway: kind != RouteType::Unicast || route.attributes.iter().any(leads_on),
        prefix: route.header.destination_prefix_length,
        interface: interface.map(|index| kernel.name_of(index)).transpose()?,
    })
}

/// Whether a route with this attribute goes through a gateway or has several paths.
fn leads_on(attribute: &RouteAttribute) -> bool {
    use RouteAttribute::{Encap, EncapType, Gateway, MultiPath, NhId, Via};
    matches!(
        attribute,
        Gateway(_) | Via(_) | MultiPath(_) | NhId(_) | Encap(_) | EncapType(_)
    )
}

/// The gateways of all routes, IPv4 and IPv6.
///
/// # Errors
///
/// Also if a route only names a nexthop object (`nexthop_compat_mode` is 0), because its gateway is then unknown.
pub fn gateways() -> Result<Vec<IpAddr>> {
    let (mut kernel, mut gateways) = (Kernel::connect()?, Vec::new());
    for family in [AddressFamily::Inet, AddressFamily::Inet6] {
        let mut question = RouteMessage::default();
        question.header.address_family = family;
        for route in kernel.ask(question, NLM_F_DUMP)? {
            let told = route.attributes.iter().flat_map(gateways_in);
            let before = gateways.len();
            gateways.extend(told);
            let is_object =
                |attribute: &RouteAttribute| matches!(attribute, RouteAttribute::NhId(_));
            if gateways.len() == before && route.attributes.iter().any(is_object) {
                return Err(Error::other("a route doesn't tell its gateway"));
            }
        }
    }
    Ok(gateways)
}

/// The neighbours with a known link-layer address, on all interfaces.
pub fn neighbours() -> Result<Vec<Neighbour>> {
    let found = Kernel::connect()?.ask(NeighbourMessage::default(), NLM_F_DUMP)?;
    Ok(found.iter().filter_map(as_neighbour).collect())
}

fn as_neighbour(found: &NeighbourMessage) -> Option<Neighbour> {
    let (mut address, mut link_address) = (None, None);
    for attribute in &found.attributes {
        match attribute {
            NeighbourAttribute::Destination(NeighbourAddress::Inet(it)) => {
                address = Some(IpAddr::from(*it));
            }
            NeighbourAttribute::Destination(NeighbourAddress::Inet6(it)) => {
                address = Some(IpAddr::from(*it));
            }
            NeighbourAttribute::LinkLayerAddress(it) => link_address = Some(it.clone()),
            _ => {}
        }
    }
    Some(Neighbour {
        address: address?,
        interface: found.header.ifindex,
        link_address: link_address.filter(|it| !it.is_empty())?,
    })
}

fn gateways_in(attribute: &RouteAttribute) -> Vec<IpAddr> {
    match attribute {
        RouteAttribute::Gateway(RouteAddress::Inet(address))
        | RouteAttribute::Via(RouteVia::Inet(address)) => vec![(*address).into()],
        RouteAttribute::Gateway(RouteAddress::Inet6(address))
        | RouteAttribute::Via(RouteVia::Inet6(address)) => vec![(*address).into()],
        RouteAttribute::MultiPath(hops) => {
            let attributes = hops.iter().flat_map(|hop| &hop.attributes);
            attributes.flat_map(gateways_in).collect()
        }
        _ => Vec::new(),
    }
}

/// This machine's addresses, on all interfaces.
pub fn addresses() -> Result<Vec<OwnAddress>> {
    let mut kernel = Kernel::connect()?;
    let mut own = Vec::new();
    for found in kernel.ask(AddressMessage::default(), NLM_F_DUMP)? {
        // On a point-to-point link `Address` is the peer's.
        let local = found
            .attributes
            .iter()
            .find_map(|attribute| match attribute {
                AddressAttribute::Local(address) => Some(*address),
                _ => None,
            });
        let address = found
            .attributes
            .iter()
            .find_map(|attribute| match attribute {
                AddressAttribute::Address(address) => Some(*address),
                _ => None,
            });
        if let Some(address) = local.or(address) {
            let interface = kernel.name_of(found.header.index)?;
            own.push(OwnAddress { address, interface });
        }
    }
    Ok(own)
}

fn family(address: IpAddr) -> AddressFamily {
    match address {
        IpAddr::V4(_) => AddressFamily::Inet,
        IpAddr::V6(_) => AddressFamily::Inet6,
    }
}

/// A type of rtnetlink request and of its reply, which have the same layout. The numbers are from `linux/rtnetlink.h`.
///
/// The library's `RouteNetlinkMessage` covers every message type, but using it links the parsers of all of them into the binary.
trait MessageType: Emitable + Parseable<[u8]> {
    const REQUEST: u16;
    const REPLY: u16;
}

impl MessageType for AddressMessage {
    const REQUEST: u16 = 22;
    const REPLY: u16 = 20;
}

impl MessageType for RouteMessage {
    const REQUEST: u16 = 26;
    const REPLY: u16 = 24;
}

impl MessageType for NeighbourMessage {
    const REQUEST: u16 = 30;
    const REPLY: u16 = 28;
}

struct Payload<M>(M);

impl<M: MessageType> NetlinkSerializable for Payload<M> {
    fn message_type(&self) -> u16 {
        M::REQUEST
    }

    fn buffer_len(&self) -> usize {
        self.0.buffer_len()
    }

    fn serialize(&self, buffer: &mut [u8]) {
        self.0.emit(buffer);
    }
}

impl<M: MessageType> NetlinkDeserializable for Payload<M> {
    type Error = DecodeError;

    fn deserialize(
        header: &NetlinkHeader,
        payload: &[u8],
    ) -> std::result::Result<Self, DecodeError> {
        if header.message_type == M::REPLY {
            M::parse(payload).map(Self)
        } else {
            Err("the reply has another type than the request asks for".into())
        }
    }
}

/// A netlink socket.
struct Kernel(Socket);

impl Kernel {
    fn connect() -> Result<Self> {
        let socket = Socket::new(NETLINK_ROUTE)?;
        socket.connect(&SocketAddr::new(0, 0))?;
        Ok(Self(socket))
    }

    /// Sends a request and returns the kernel's reply: one message, or all of them with [`NLM_F_DUMP`].
    fn ask<M: MessageType>(&mut self, question: M, flags: u16) -> Result<Vec<M>> {
        let mut header = NetlinkHeader::default();
        header.flags = NLM_F_REQUEST | flags;
        let mut message =
            NetlinkMessage::new(header, NetlinkPayload::InnerMessage(Payload(question)));
        message.finalize();
        let mut bytes = vec![0; message.buffer_len()];
        message.serialize(&mut bytes);
        self.0.send(&bytes, 0)?;
        let mut answers = Vec::new();
        loop {
            let (bytes, _) = self.0.recv_from_full()?;
            let mut rest = bytes.as_slice();
            if rest.is_empty() {
                return Err(Error::other("the kernel answers nothing"));
            }
            while !rest.is_empty() {
                let message = NetlinkMessage::<Payload<M>>::deserialize(rest);
                let message = message.map_err(Error::other)?;
                // Messages begin at multiples of four bytes.
                let length = (message.header.length as usize).next_multiple_of(4).max(4);
                rest = rest.get(length..).unwrap_or_default();
                match message.payload {
                    NetlinkPayload::InnerMessage(Payload(answer)) => answers.push(answer),
                    NetlinkPayload::Error(error) => return Err(error.to_io()),
                    NetlinkPayload::Done(_) => return Ok(answers),
                    _ => {}
                }
            }
            if flags & NLM_F_DUMP == 0 {
                return Ok(answers);
            }
        }
    }

    fn name_of(&self, index: u32) -> Result<String> {
        Ok(index_to_name(&self.0, index)?)
    }
}
